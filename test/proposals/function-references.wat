;; Typed function references: call_ref, return_call_ref, null checks, tables that begin filled.
;; REQUIRES: npm, new-node
;; RUN: %new-node %S/Inputs/prove.mjs %s %t | FileCheck %s --match-full-lines
;; CHECK:      called = 21: called(apply(triple))
;; CHECK-NEXT: tail = 21: tail triple
;; CHECK-NEXT: nulls = 13: nulls(orElse orElse(triple) triple)
;; CHECK-NEXT: table = 15: table(triple)
;; CHECK-NEXT: imported = 9: imported(env.add)
;; CHECK-NEXT: trapping = throws RuntimeError: trapping!
;; CHECK-NOT:  {{.}}

(module
  (type $unary (func (param i32) (result i32)))
  (type $binary (func (param i32 i32) (result i32)))
  (import "env" "add" (func $env.add (type $binary)))
  (table $t 3 (ref $unary) (ref.func $triple))
  (global $g (ref $binary) (ref.func $env.add))

  (func $triple (type $unary) (i32.mul (local.get 0) (i32.const 3)))

  (func $apply (param $f (ref $unary)) (param i32) (result i32)
    (call_ref $unary (local.get 1) (local.get $f)))
  (func $called (export "called") (result i32)
    (call $apply (ref.func $triple) (i32.const 7)))

  (func $tail (export "tail") (result i32)
    (return_call_ref $unary (i32.const 7) (ref.func $triple)))

  (func $orElse (param $f (ref null $unary)) (result i32)
    (block $null
      (return (call_ref $unary (i32.const 3) (br_on_null $null (local.get $f)))))
    (i32.const 1))
  (func $nulls (export "nulls") (result i32)
    (local $sum i32)
    (local.set $sum (i32.add (call $orElse (ref.null $unary)) (call $orElse (ref.func $triple))))
    (i32.add
      (call_ref $unary (i32.const 1)
        (block $there (result (ref $unary))
          (br_on_non_null $there (ref.func $triple))
          (return (i32.const 0))))
      (local.get $sum)))

  (func $table (export "table") (result i32)
    (call_indirect $t (type $unary) (i32.const 5) (i32.const 2)))

  (func $imported (export "imported") (result i32)
    (call_ref $binary (i32.const 4) (i32.const 5) (global.get $g)))

  (func $trapping (export "trapping") (result i32)
    (call_ref $unary (i32.const 4) (ref.as_non_null (ref.null $unary)))))
