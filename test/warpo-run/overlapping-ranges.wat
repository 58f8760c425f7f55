;; WASI: ranges of fd_write may overlap, so that they have more bytes than its result can say: a write ends before that, and the program has to ask again for the rest.
;; REQUIRES: wat2wasm
;; RUN: wat2wasm %s -o %t.wasm && warpo-run -q --engine=interp %t.wasm > /dev/null
(module
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 32)
  (func (export "_start")
    (local $range i32)
    ;; 3072 ranges of 1.5 MiB each.
    (loop $next
      (i32.store (local.get $range) (i32.const 0x8000))
      (i32.store offset=4 (local.get $range) (i32.const 0x180000))
      (local.set $range (i32.add (local.get $range) (i32.const 8)))
      (br_if $next (i32.lt_u (local.get $range) (i32.const 24576))))
    (call $exit
      (i32.or
        (call $write (i32.const 1) (i32.const 0) (i32.const 3072) (i32.const 0x7000))
        (i32.ne (i32.load (i32.const 0x7000)) (i32.const 0xffffffff))))))
