;; Copies standard input to standard output and the arguments and environment to standard error, then ends with exit
;; code 7 from within a call.
(module
  (import "wasi_snapshot_preview1" "fd_read" (func $fd_read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "args_sizes_get" (func $args_sizes_get (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "args_get" (func $args_get (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "environ_sizes_get" (func $environ_sizes_get (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "environ_get" (func $environ_get (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))
  (memory (export "memory") 1)
  ;; 0: a range (address, size); 8: a number that was returned; 12: a size; 1024: texts; 4096: pointers
  (func $write (param $stream i32) (param $size i32)
    (i32.store (i32.const 0) (i32.const 1024))
    (i32.store (i32.const 4) (local.get $size))
    (drop (call $fd_write (local.get $stream) (i32.const 0) (i32.const 1) (i32.const 8))))
  (func $copy
    (loop $again
      (i32.store (i32.const 0) (i32.const 1024))
      (i32.store (i32.const 4) (i32.const 100))
      (drop (call $fd_read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))
      (if (i32.load (i32.const 8))
        (then
          (call $write (i32.const 1) (i32.load (i32.const 8)))
          (br $again)))))
  (func $show
    (drop (call $args_sizes_get (i32.const 8) (i32.const 12)))
    (drop (call $args_get (i32.const 4096) (i32.const 1024)))
    (call $write (i32.const 2) (i32.load (i32.const 12)))
    (drop (call $environ_sizes_get (i32.const 8) (i32.const 12)))
    (drop (call $environ_get (i32.const 4096) (i32.const 1024)))
    (call $write (i32.const 2) (i32.load (i32.const 12))))
  (func $leave
    (call $proc_exit (i32.const 7)))
  (func (export "_start")
    (call $copy)
    (call $show)
    (call $leave)
    (unreachable)))
