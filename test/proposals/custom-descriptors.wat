;; Custom descriptors: structures made with one, casts and branches by descriptor, exact types.
;; REQUIRES: npm, new-node
;; RUN: %new-node --experimental-wasm-custom-descriptors %S/Inputs/prove.mjs %s %t | FileCheck %s --match-full-lines
;; CHECK:      main = 8: main(make tag make)
;; CHECK-NEXT: branch = 4: branch(make)
;; CHECK-NEXT: default = 0: default
;; CHECK-NEXT: exact = 9: exact(env.add)
;; CHECK-NOT:  {{.}}

(module
  (rec
    (type $obj (descriptor $desc) (struct (field i32)))
    (type $desc (describes $obj) (struct (field i32))))
  (type $binary (func (param i32 i32) (result i32)))
  (import "env" "add" (func $env.add (exact (type $binary))))
  (global $d (ref (exact $desc)) (struct.new $desc (i32.const 5)))

  (func $make (param i32) (result (ref $obj))
    (struct.new_desc $obj (local.get 0) (global.get $d)))
  (func $tag (param (ref $obj)) (result i32)
    (struct.get $desc 0 (ref.get_desc $obj (local.get 0))))
  (func $main (export "main") (result i32)
    (i32.add (call $tag (call $make (i32.const 2)))
      (struct.get $obj 0 (ref.cast_desc_eq (ref $obj) (call $make (i32.const 3)) (global.get $d)))))

  (func $branch (export "branch") (result i32)
    (drop (block $no (result (ref null $obj))
      (return (struct.get $obj 0
        (br_on_cast_desc_eq_fail $no (ref null $obj) (ref $obj)
          (call $make (i32.const 4)) (global.get $d))))))
    (i32.const 0))
  (func $default (export "default") (result i32)
    (struct.get $obj 0 (struct.new_default_desc $obj (global.get $d))))
  (func $exact (export "exact") (result i32)
    (call $env.add (i32.const 4) (i32.const 5))))
