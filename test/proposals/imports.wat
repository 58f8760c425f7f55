;; Every use of an imported function is traced: calls and tail calls of each kind, references in code, globals, tables, elements, the start.
;; REQUIRES: npm, new-node
;; RUN: %new-node %S/Inputs/prove.mjs %s %t | FileCheck %s --match-full-lines
;; CHECK:      start = done: env.nothing
;; CHECK-NEXT: call = 3: call(env.add)
;; CHECK-NEXT: callIndirect = 3: callIndirect(env.add)
;; CHECK-NEXT: callRef = 3: callRef(env.add)
;; CHECK-NEXT: returnCall = 3: returnCall env.add
;; CHECK-NEXT: returnCallIndirect = 3: returnCallIndirect env.add
;; CHECK-NEXT: returnCallRef = 3: returnCallRef env.add
;; CHECK-NEXT: fromGlobal = 3: fromGlobal(env.add)
;; CHECK-NEXT: fromStruct = 3: fromStruct(env.add)
;; CHECK-NEXT: fromTable = 3: fromTable(env.add)
;; CHECK-NEXT: fromElements = 6: fromElements(env.add env.add)
;; CHECK-NEXT: fromArray = 3: fromArray(env.add)
;; CHECK-NEXT: casts = 1101: casts(env.add)
;; CHECK-NEXT: failing = throws RangeError: failing(env.fail)
;; An export of an import is the import itself.
;; CHECK-NEXT: add = 0
;; CHECK-NOT:  {{.}}

(module
  (type $nullary (func))
  (type $binary (func (param i32 i32) (result i32)))
  (type $other (func (param i64 i64) (result i64)))
  (type $holder (struct (field (ref $binary))))
  (type $adders (array (ref $binary)))
  (import "env" "add" (func $env.add (type $binary)))
  (import "env" "nothing" (func $env.nothing))
  (import "env" "fail" (func $env.fail))

  ;; The tables' own first values, and elements as functions and as expressions.
  (table $filled 2 (ref $binary) (ref.func $env.add))
  (table $t 4 funcref)
  (elem (table $t) (i32.const 1) func $env.add)
  (elem (table $t) (i32.const 2) (ref null $binary) (ref.func $env.add))
  (elem $passive (ref $binary) (ref.func $env.add))
  (global $global (ref $binary) (ref.func $env.add))
  (global $held (ref $holder) (struct.new $holder (ref.func $env.add)))
  (start $env.nothing)

  (export "add" (func $env.add))
  (func $call (export "call") (result i32)
    (call $env.add (i32.const 1) (i32.const 2)))
  (func $callIndirect (export "callIndirect") (result i32)
    (call_indirect $t (type $binary) (i32.const 1) (i32.const 2) (i32.const 1)))
  (func $callRef (export "callRef") (result i32)
    (call_ref $binary (i32.const 1) (i32.const 2) (ref.func $env.add)))
  (func $returnCall (export "returnCall") (result i32)
    (return_call $env.add (i32.const 1) (i32.const 2)))
  (func $returnCallIndirect (export "returnCallIndirect") (result i32)
    (return_call_indirect $t (type $binary) (i32.const 1) (i32.const 2) (i32.const 2)))
  (func $returnCallRef (export "returnCallRef") (result i32)
    (return_call_ref $binary (i32.const 1) (i32.const 2) (ref.func $env.add)))

  (func $fromGlobal (export "fromGlobal") (result i32)
    (call_ref $binary (i32.const 1) (i32.const 2) (global.get $global)))
  (func $fromStruct (export "fromStruct") (result i32)
    (call_ref $binary (i32.const 1) (i32.const 2) (struct.get $holder 0 (global.get $held))))
  (func $fromTable (export "fromTable") (result i32)
    (call_indirect $filled (type $binary) (i32.const 1) (i32.const 2) (i32.const 1)))
  (func $fromElements (export "fromElements") (result i32)
    (table.init $filled $passive (i32.const 0) (i32.const 0) (i32.const 1))
    (i32.add
      (call_indirect $filled (type $binary) (i32.const 1) (i32.const 2) (i32.const 0))
      (call_indirect $t (type $binary) (i32.const 1) (i32.const 2) (i32.const 2))))
  (func $fromArray (export "fromArray") (result i32)
    (call_ref $binary (i32.const 1) (i32.const 2)
      (array.get $adders (array.new_elem $adders $passive (i32.const 0) (i32.const 1)) (i32.const 0))))

  ;; 1000 for a cast, 100 for a branch on a cast, 10 for what it is not, 1 for what it is.
  (func $casts (export "casts") (result i32)
    (local $f funcref)
    (local.set $f (table.get $t (i32.const 1)))
    (drop (call_ref $binary (i32.const 1) (i32.const 2) (ref.cast (ref $binary) (local.get $f))))
    (drop (block $branch (result (ref $binary))
      (drop (br_on_cast $branch funcref (ref $binary) (local.get $f)))
      (return (i32.const 0))))
    (i32.add (i32.const 1100)
      (i32.add (ref.test (ref $binary) (local.get $f))
        (i32.mul (ref.test (ref $other) (local.get $f)) (i32.const 10)))))

  (func $failing (export "failing") (call_ref $nullary (ref.func $env.fail)))
  (elem declare func $env.fail))
