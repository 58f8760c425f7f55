;; Threads: a shared memory, atomic operations of every width, fence, notify, and a wait that does not wait.
;; REQUIRES: npm, new-node
;; RUN: %new-node %S/Inputs/prove.mjs %s %t | FileCheck %s --match-full-lines
;; CHECK:      main = 17: main(add add exchange)
;; CHECK-NEXT: waiting = 1: waiting
;; CHECK-NOT:  {{.}}

(module
  (memory 1 4 shared)
  (func $add (param i32) (result i32)
    (i32.atomic.rmw.add offset=8 (i32.const 0) (local.get 0)))
  (func $exchange (result i64)
    (drop (i32.atomic.rmw8.xchg_u (i32.const 32) (i32.const 1)))
    (drop (i32.atomic.rmw16.or_u (i32.const 32) (i32.const 1)))
    (drop (i64.atomic.rmw32.sub_u (i32.const 40) (i64.const 1)))
    (drop (i64.atomic.rmw8.cmpxchg_u (i32.const 32) (i64.const 0) (i64.const 2)))
    (i64.atomic.rmw.cmpxchg (i32.const 48) (i64.const 0) (i64.const 2)))
  (func $main (export "main") (result i32)
    (atomic.fence)
    (i32.atomic.store offset=8 (i32.const 0) (i32.const 5))
    ;; 5 + 12 + 0
    (i32.add (i32.add (call $add (i32.const 7)) (call $add (i32.const 1)))
      (i32.add (i32.wrap_i64 (call $exchange)) (memory.atomic.notify (i32.const 8) (i32.const 1)))))
  (func $waiting (export "waiting") (result i32)
    ;; The value is another: 1, at once.
    (memory.atomic.wait64 (i32.const 48) (i64.const 77) (i64.const -1))))
