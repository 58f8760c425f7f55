;; A memory of pages of one byte.
;; REQUIRES: npm, new-node
;; RUN: %new-node %S/Inputs/prove.mjs %s %t | FileCheck %s --match-full-lines
;; CHECK:      not run, since V8 {{[0-9]+}} does not know it: {{.+}}
;; CHECK-NOT:  {{.}}

(module
  (memory 10 20 (pagesize 1))
  (data (i32.const 9) "\07")
  (func $last (result i32) (i32.load8_u (i32.sub (memory.size) (i32.const 1))))
  (func $main (export "main") (result i32)
    (i32.add (call $last) (memory.grow (i32.const 5)))))
