;; Several results, of functions and of blocks with parameters; leaving by return, branch and falling off the end.
;; REQUIRES: npm, new-node
;; RUN: %new-node %S/Inputs/prove.mjs %s %t | FileCheck %s --match-full-lines
;; CHECK:      main = 8 6n 2.5: main(swap pair)
;; CHECK-NEXT: branching = 1 2: branching(pair)
;; CHECK-NOT:  {{.}}

(module
  (func $swap (param i32 i64) (result i64 i32) (local.get 1) (local.get 0))
  (func $pair (result i32 i32) (br 0 (i32.const 1) (i32.const 2)))
  (func $main (export "main") (result i32 i64 f32)
    (local $i i32) (local $l i64)
    (i32.const 5) (i64.const 6)
    (call $swap)
    (local.set $i)
    (local.set $l)
    (call $pair)
    (block (param i32 i32) (result i32) (i32.add))
    (i32.add (local.get $i))
    (return (local.get $l) (f32.const 2.5)))
  (func $branching (export "branching") (result i32 i32)
    (call $pair)
    (br_if 0 (i32.const 1))))
