;; SPDX-License-Identifier: Apache-2.0
;; Stores events as a module of --events-in=memory --timed-events does, for measuring what one takes
;; (docs/instrumented-module.md).
(module
  (import "recorder" "memory" (memory 1 65535 shared))
  (import "recorder" "tracePoint" (func $tracePoint (param i32)))
  (func (export "run") (param $calls i32)
    (local $room i32)
    (call $tracePoint (i32.const 1))
    (loop $again
      (if (i32.eq (local.tee $room (i32.load offset=8 (i32.const 0))) (i32.load offset=12 (i32.const 0)))
        (then (call $tracePoint (i32.const 2)))
        (else
          (i64.store (local.get $room) (i64.extend_i32_u (i32.const 2)))
          (i64.store offset=8 (local.get $room) (i64.load offset=64 (i32.const 0)))
          (i32.store offset=8 (i32.const 0) (i32.add (local.get $room) (i32.const 16)))))
      (if (i32.eq (local.tee $room (i32.load offset=8 (i32.const 0))) (i32.load offset=12 (i32.const 0)))
        (then (call $tracePoint (i32.const -2)))
        (else
          (i64.store (local.get $room) (i64.extend_i32_u (i32.const -2)))
          (i64.store offset=8 (local.get $room) (i64.load offset=64 (i32.const 0)))
          (i32.store offset=8 (i32.const 0) (i32.add (local.get $room) (i32.const 16)))))
      (br_if $again (local.tee $calls (i32.sub (local.get $calls) (i32.const 1)))))
    (call $tracePoint (i32.const -1))))
