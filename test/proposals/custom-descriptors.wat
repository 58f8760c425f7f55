;; Custom descriptors: a structure with a descriptor of its own, read back and cast by it.
;; REQUIRES: npm, new-node
;; RUN: %new-node --experimental-wasm-custom-descriptors %S/Inputs/prove.mjs %s %t | FileCheck %s --match-full-lines
;; CHECK:      main = 7: main(make)
;; CHECK-NOT:  {{.}}

(module
  (rec
    (type $object (descriptor $kind) (struct (field i32)))
    (type $kind (describes $object) (struct (field i32))))
  (global $kind (ref (exact $kind)) (struct.new $kind (i32.const 7)))
  (func $make (result (ref (exact $object)))
    (struct.new_desc $object (i32.const 1) (global.get $kind)))
  (func $main (export "main") (result i32)
    (struct.get $kind 0 (ref.get_desc $object (call $make)))))
