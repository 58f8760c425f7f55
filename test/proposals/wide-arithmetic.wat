;; Wide arithmetic: numbers of 128 bits in two halves, as results of several functions.
;; REQUIRES: npm, new-node
;; RUN: %new-node %S/Inputs/prove.mjs %s %t | FileCheck %s --match-full-lines
;; CHECK:      not run, since V8 {{[0-9]+}} does not know it: {{.+}}
;; CHECK-NOT:  {{.}}

(module
  (func $square (param i64) (result i64 i64)
    (i64.mul_wide_u (local.get 0) (local.get 0)))
  (func $signed (param i64 i64) (result i64 i64)
    (i64.mul_wide_s (local.get 0) (local.get 1)))
  (func $sum (export "sum") (result i64 i64)
    (i64.add128 (call $square (i64.const -1)) (i64.const 1) (i64.const 0)))
  (func $difference (export "difference") (result i64 i64)
    (i64.sub128 (i64.const 0) (i64.const 0) (call $signed (i64.const -2) (i64.const 3)))))
