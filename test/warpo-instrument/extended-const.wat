;; Constant expressions of several instructions, with references to functions in them.
;; RUN: wat2wasm --enable-extended-const --debug-names %s -o %t.wasm
;; RUN: warpo-instrument -q %t.wasm -o %t.out.wasm --trace-point-mapping-file %t.map
;; RUN: wasm-validate --enable-extended-const %t.out.wasm
;; RUN: wasm2wat --enable-extended-const %t.out.wasm | FileCheck %s

(module
  (import "env" "base" (global $base i32))
  (table $t 10 funcref)
  (memory 1)
  ;; CHECK:      (global $sum i32 (i32.const 40
  ;; CHECK-NEXT:   i32.const 2
  ;; CHECK-NEXT:   i32.add))
  (global $sum i32 (i32.add (i32.const 40) (i32.const 2)))
  ;; CHECK:      (global $reference funcref (ref.func $f))
  (global $reference funcref (ref.func $f))
  ;; CHECK:      (elem (;0;) (global.get $base
  ;; CHECK-NEXT:   i32.const 3
  ;; CHECK-NEXT:   i32.mul) func $f)
  (elem (offset (i32.mul (global.get $base) (i32.const 3))) $f)
  ;; CHECK:      (data (;0;) (global.get $base
  ;; CHECK-NEXT:   i32.const 1
  ;; CHECK-NEXT:   i32.sub) "x"))
  (data (offset (i32.sub (global.get $base) (i32.const 1))) "x")
  (func $f))
