;; SPDX-License-Identifier: Apache-2.0
;; A program with a cache: the second look-up of a key must not compute again.
(module
  (global $cached (mut i32) (i32.const 0))
  (func $compute (result i32) (i32.const 42))
  (func $lookUp (result i32)
    (if (i32.eqz (global.get $cached))
      (then (global.set $cached (call $compute))))
    (global.get $cached))
  (func $main (export "main") (result i32)
    (drop (call $lookUp))
    (call $lookUp)))
