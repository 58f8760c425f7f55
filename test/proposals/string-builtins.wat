;; JavaScript's string builtins: thunks of imports that the engine itself provides, and imported string constants.
;; REQUIRES: npm, new-node
;; RUN: %new-node %S/Inputs/prove.mjs %s %t | FileCheck %s --match-full-lines
;; CHECK:      main = 104: main(wasm:js-string.length wasm:js-string.concat wasm:js-string.charCodeAt)
;; CHECK-NEXT: arrays = hi: arrays(wasm:js-string.fromCharCodeArray)
;; CHECK-NOT:  {{.}}

(module
  (type $chars (array (mut i16)))
  (import "wasm:js-string" "length" (func $wasm:js-string.length (param externref) (result i32)))
  (import "wasm:js-string" "concat" (func $wasm:js-string.concat (param externref externref) (result (ref extern))))
  (import "wasm:js-string" "charCodeAt" (func $wasm:js-string.charCodeAt (param externref i32) (result i32)))
  (import "wasm:js-string" "fromCharCodeArray" (func $wasm:js-string.fromCharCodeArray
    (param (ref null $chars) i32 i32) (result (ref extern))))
  (import "strings" "hello" (global $hello externref))
  (import "strings" "abcde" (global $abcde externref))
  (func $main (export "main") (result i32)
    (local $length i32)
    (local.set $length (call $wasm:js-string.length (global.get $abcde)))
    (call $wasm:js-string.charCodeAt
      (call $wasm:js-string.concat (global.get $abcde) (global.get $hello)) (local.get $length)))
  (func $arrays (export "arrays") (result externref)
    (call $wasm:js-string.fromCharCodeArray
      (array.new_fixed $chars 2 (i32.const 104) (i32.const 105)) (i32.const 0) (i32.const 2))))
