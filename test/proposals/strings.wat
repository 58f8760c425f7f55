;; String references, as Binaryen writes them before it lowers them: a section of literals, and instructions on strings.
;; REQUIRES: npm, new-node
;; RUN: %new-node --experimental-wasm-stringref %S/Inputs/prove.mjs %s %t | FileCheck %s --match-full-lines
;; CHECK:      main = 9: main(hello)
;; CHECK-NEXT: equal = 1: equal(hello hello)
;; CHECK-NOT:  {{.}}

(module
  (func $hello (result stringref) (string.const "hello"))
  (func $main (export "main") (result i32)
    (string.measure_wtf16 (string.concat (call $hello) (string.const " you"))))
  (func $equal (export "equal") (result i32)
    (string.eq (call $hello) (call $hello))))
