;; SPDX-License-Identifier: Apache-2.0
;; What an instance calls where the host enters it: see entered-modules.mjs.
(module
  (import "recorder" "only" (global $only (mut i32)))
  (import "recorder" "enter" (func $enter (param i32 i32 funcref)))
  (import "recorder" "number" (global $number i32))
  (import "recorder" "report" (global $report (mut funcref)))
  ;; Called once, to see the instance on the engine's stack.
  (import "recorder" "meet" (func $meet))
  (global $isMet (mut i32) (i32.const 0))

  ;; `trapped`: see entered-modules.wat.
  (func (export "enterModule") (param $trapped i32)
    (if (i32.eqz (global.get $isMet))
      (then
        (global.set $isMet (i32.const 1))
        (call $meet)))
    ;; Usually no other one has open calls: that must take no time.
    (if (i32.or (local.get $trapped) (i32.ne (global.get $only) (global.get $number)))
      (then (call $enter (global.get $number) (local.get $trapped) (global.get $report))))))
