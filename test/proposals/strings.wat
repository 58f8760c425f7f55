;; References to strings: their instructions, their section of literals, an import of their type.
;; REQUIRES: npm, new-node
;; RUN: %new-node --experimental-wasm-stringref %S/Inputs/prove.mjs %s %t | FileCheck %s --match-full-lines
;; CHECK:      main = 6: main(join)
;; CHECK-NEXT: arrays = 4: arrays
;; CHECK-NEXT: parts = 98: parts
;; CHECK-NOT:  {{.}}

(module
  (type $chars (array (mut i16)))
  (type $bytes (array (mut i8)))
  (global $letters stringref (string.const "abcde"))
  (func $join (param stringref stringref) (result stringref)
    (string.concat (local.get 0) (local.get 1)))
  (func $main (export "main") (result i32)
    (local $s stringref)
    (local.set $s (call $join (string.const "abc") (string.const "de")))
    (i32.add (string.measure_wtf16 (local.get $s))
      (string.eq (local.get $s) (global.get $letters))))
  (func $arrays (export "arrays") (result i32)
    (local $s stringref) (local $chars (ref $chars))
    (local.set $chars (array.new_default $chars (i32.const 2)))
    (local.set $s (string.new_lossy_utf8_array
      (array.new_fixed $bytes 2 (i32.const 104) (i32.const 105)) (i32.const 0) (i32.const 2)))
    (i32.add (string.encode_wtf16_array (local.get $s) (local.get $chars) (i32.const 0))
      (string.measure_utf8 (string.new_wtf16_array (local.get $chars) (i32.const 0) (i32.const 2)))))
  (func $parts (export "parts") (result i32)
    (i32.add (stringview_wtf16.get_codeunit (global.get $letters) (i32.const 1))
      (string.compare (stringview_wtf16.slice (global.get $letters) (i32.const 0) (i32.const 1))
        (string.from_code_point (i32.const 97))))))
