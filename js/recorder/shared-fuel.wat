;; Passes on the trace points of one of several instances that share a stream. Each counts its own
;; fuel; the stream gets the sum of what all of them have burnt, as far as it has been seen.
(module
  (import "recorder" "tracePointFuel" (func $tracePoint (param i32 i64)))
  (import "recorder" "total" (global $total (mut i64)))
  (global $last (mut i64) (i64.const 0))
  (func (export "tracePointFuel") (param $id i32) (param $fuel i64)
    (global.set $total
      (i64.add (global.get $total) (i64.sub (local.get $fuel) (global.get $last))))
    (global.set $last (local.get $fuel))
    (call $tracePoint (local.get $id) (global.get $total))))
