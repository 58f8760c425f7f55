;; Memories and tables of 64-bit addresses, of 32-bit ones beside them.
;; REQUIRES: npm, new-node
;; RUN: %new-node %S/Inputs/prove.mjs %s %t | FileCheck %s --match-full-lines
;; CHECK:      memory = 10n: memory(at)
;; CHECK-NEXT: table = 5: table(five)
;; CHECK-NEXT: tail = 5: tail five
;; CHECK-NEXT: sizes = 3n: sizes
;; CHECK-NEXT: far = throws RuntimeError: far!
;; CHECK-NOT:  {{.}}

(module
  (type $number (func (result i32)))
  (memory $m i64 1 8)
  (memory $small 1)
  (table $t i64 2 funcref)
  (elem $t (i64.const 1) func $five)
  (data (memory $m) (i64.const 8) "\05\07")
  (func $five (type $number) (i32.const 5))
  (func $at (param i64) (result i64) (i64.load8_u $m offset=8 (local.get 0)))
  (func $memory (export "memory") (result i64)
    (memory.copy $m $m (i64.const 9) (i64.const 8) (i64.const 1))
    (i32.store8 $small (i32.const 0) (i32.load8_u $m (i64.const 9)))
    (memory.fill $m (i64.const 64) (i32.const 0) (i64.const 8))
    (i64.add (i64.load8_u $small (i32.const 0)) (call $at (i64.const 1))))
  (func $table (export "table") (result i32)
    (call_indirect $t (type $number) (i64.const 1)))
  (func $tail (export "tail") (result i32)
    (return_call_indirect $t (type $number) (i64.const 1)))
  (func $sizes (export "sizes") (result i64)
    (i64.add (memory.grow $m (i64.const 1)) (table.size $t)))
  (func $far (export "far") (result i64)
    (i64.load $m offset=0x100000000 (i64.const 0))))
