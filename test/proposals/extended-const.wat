;; Arithmetic in constant expressions, on imported and on own globals.
;; REQUIRES: npm, new-node
;; RUN: %new-node %S/Inputs/prove.mjs %s %t | FileCheck %s --match-full-lines
;; CHECK:      main = 33: main(get)
;; CHECK-NOT:  {{.}}

(module
  (import "env" "number" (global $n i32))
  (global $g i32 (i32.add (i32.mul (global.get $n) (i32.const 4)) (i32.const 2)))
  (global $h i64 (i64.sub (i64.const 3) (i64.const 1)))
  (memory 1)
  (data (offset (i32.sub (global.get $g) (i32.const 10))) "\03")
  (table 10 funcref)
  (elem (offset (i32.add (global.get $n) (i32.const 1))) func $get)
  (func $get (result i32) (i32.load8_u (i32.const 20)))
  (func $main (export "main") (result i32)
    (i32.add (call_indirect (result i32) (i32.const 8)) (global.get $g))))
