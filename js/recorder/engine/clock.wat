;; SPDX-License-Identifier: Apache-2.0
;; The time that a worker keeps in a shared memory, in milliseconds.
(module
  (import "clock" "memory" (memory 1 1 shared))
  (func (export "now") (result f64)
    (f64.reinterpret_i64 (i64.atomic.load (i32.const 0)))))
