;; Loads and stores of numbers in arrays of bytes: the type of the array stands beside the offset.
;; REQUIRES: npm, new-node
;; RUN: %new-node %S/Inputs/prove.mjs %s %t | FileCheck %s --match-full-lines
;; CHECK:      not run, since V8 {{[0-9]+}} does not know it: {{.+}}
;; CHECK-NOT:  {{.}}

(module
  (type $words (array (mut i16)))
  (type $bytes (array (mut i8)))
  (func $load (param (ref $words) (ref $bytes)) (result f64)
    (i32.store (type $bytes) offset=11 (local.get 1) (i32.const 0) (i32.const 7))
    (f64.load (type $bytes) offset=16 (local.get 1) (i32.const 0)))
  (func $main (export "main") (result f64)
    (call $load (array.new_default $words (i32.const 1)) (array.new_default $bytes (i32.const 32)))))
