;; Relaxed atomic accesses, and a pause.
;; REQUIRES: npm, new-node
;; RUN: %new-node --experimental-wasm-acquire-release --experimental-wasm-shared %S/Inputs/prove.mjs %s %t | FileCheck %s --match-full-lines
;; CHECK:      not run, since V8 {{[0-9]+}} does not know it: {{.+}}
;; CHECK-NOT:  {{.}}

(module
  (memory 1 1 shared)
  (func $load (result i32) (pause) (i32.atomic.load relaxed offset=16 (i32.const 0)))
  (func $main (export "main") (result i32)
    (i32.atomic.store relaxed offset=16 (i32.const 0) (i32.const 7))
    (call $load)))
