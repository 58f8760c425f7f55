;; SPDX-License-Identifier: Apache-2.0
;; Stores events as a module of --events-in=memory --timed-events does, for measuring what one takes
;; (docs/instrumented-module.md).
(module
  (import "recorder" "memory" (memory 1 65535 shared))
  (import "recorder" "tracePoint" (func $tracePoint (param i32)))
  (func (export "run") (param $calls i32)
    (local $room i32) (local $time i32)
    (call $tracePoint (i32.const 1))
    (loop $again
      (local.set $time (i32.load offset=64 (i32.const 0)))
      (if (i32.ge_u (local.tee $room (i32.load offset=8 (i32.const 0))) (i32.load offset=12 (i32.const 0)))
        (then (call $tracePoint (i32.const 2)))
        (else
          (i32.store (local.get $room) (i32.const 2))
          (i32.store offset=4 (local.get $room) (local.get $time))
          (i32.store offset=8 (i32.const 0) (i32.add (local.get $room) (i32.const 8)))))
      (local.set $time (i32.load offset=64 (i32.const 0)))
      (if (i32.ge_u (local.tee $room (i32.load offset=8 (i32.const 0))) (i32.load offset=12 (i32.const 0)))
        (then (call $tracePoint (i32.const -2)))
        (else
          (i32.store (local.get $room) (i32.const -2))
          (i32.store offset=4 (local.get $room) (local.get $time))
          (i32.store offset=8 (i32.const 0) (i32.add (local.get $room) (i32.const 8)))))
      (br_if $again (local.tee $calls (i32.sub (local.get $calls) (i32.const 1)))))
    (call $tracePoint (i32.const -1))))
