;; Tail calls end the frame before the call: each ends before the next begins.
;; REQUIRES: npm, new-node
;; RUN: %new-node %S/Inputs/prove.mjs %s %t | FileCheck %s --match-full-lines
;; CHECK:      main = 1: main even odd even odd even
;; CHECK-NEXT: indirect = 0: indirect even odd
;; CHECK-NEXT: host = 3: host env.add
;; CHECK-NEXT: deep = 1: deep(count count count count)
;; CHECK-NOT:  {{.}}

(module
  (type $unary (func (param i32) (result i32)))
  (import "env" "add" (func $env.add (param i32 i32) (result i32)))
  (table funcref (elem $even $odd))
  (func $even (type $unary)
    (if (i32.eqz (local.get 0)) (then (return (i32.const 1))))
    (return_call $odd (i32.sub (local.get 0) (i32.const 1))))
  (func $odd (type $unary)
    (if (i32.eqz (local.get 0)) (then (return (i32.const 0))))
    (return_call $even (i32.sub (local.get 0) (i32.const 1))))
  (func $main (export "main") (result i32) (return_call $even (i32.const 4)))
  (func $indirect (export "indirect") (result i32)
    (return_call_indirect (type $unary) (i32.const 1) (i32.const 0)))
  (func $host (export "host") (result i32)
    (return_call $env.add (i32.const 1) (i32.const 2)))
  (func $count (type $unary)
    (if (i32.eqz (local.get 0)) (then (return (i32.const 1))))
    (return_call $count (i32.sub (local.get 0) (i32.const 1))))
  (func $deep (export "deep") (result i32) (call $count (i32.const 3))))
