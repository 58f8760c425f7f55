;; Passes trace points, for measuring what one takes. Not by the name that modules have for it: they are hooked.
(module
  (import "recorder" "tracePoint" (func $tracePoint (param i32)))
  (func (export "run") (param $calls i32)
    ;; An open call, so that the others end within one, as most do.
    (call $tracePoint (i32.const 1))
    (loop $again
      (call $tracePoint (i32.const 2))
      (call $tracePoint (i32.const -2))
      (br_if $again (local.tee $calls (i32.sub (local.get $calls) (i32.const 1)))))
    (call $tracePoint (i32.const -1))))
