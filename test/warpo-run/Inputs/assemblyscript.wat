;; What AssemblyScript's compiler makes of a program: a start section that prints, env.* imports, strings in UTF-16 with
;; their length in the four bytes before them.
(module
  (import "env" "abort" (func $abort (param i32 i32 i32 i32)))
  (import "env" "trace" (func $trace (param i32 i32 f64 f64 f64 f64 f64)))
  (import "env" "seed" (func $seed (result f64)))
  (import "env" "console.log" (func $log (param i32)))
  (import "env" "console.error" (func $error (param i32)))
  (import "env" "process.exit" (func $exit (param i32)))
  (import "env" "Date.now" (func $now (result f64)))
  (import "env" "performance.now" (func $time (result f64)))
  (memory (export "memory") 1)
  (data (i32.const 28) "\0a\00\00\00s\00t\00a\00r\00t\00")
  (data (i32.const 60) "\08\00\00\00n\00a\00\ef\00f\00")
  (data (i32.const 92) "\08\00\00\00a\00.\00t\00s\00")
  (data (i32.const 124) "\04\00\00\00=\d8\00\de")
  (start $start)
  (func $start
    (call $log (i32.const 32)))
  (func (export "print")
    (call $log (i32.const 128))
    (call $error (i32.const 64))
    (call $trace (i32.const 64) (i32.const 0) (f64.const 1) (f64.const 2) (f64.const 3) (f64.const 4) (f64.const 5))
    (call $trace (i32.const 64) (i32.const 3) (f64.const 1.5) (f64.const -2) (f64.const 1e21) (f64.const 4) (f64.const 5)))
  ;; 1 if the clocks and the seed are plausible.
  (func (export "clocks") (result i32)
    (i32.and
      (i32.and
        (f64.gt (call $now) (f64.const 1e12))
        (f64.gt (call $time) (f64.const 0)))
      (f64.ge (call $seed) (f64.const 0))))
  (func (export "fail")
    (call $abort (i32.const 64) (i32.const 96) (i32.const 12) (i32.const 5))
    (unreachable))
  (func (export "leave")
    (call $exit (i32.const 300))))
