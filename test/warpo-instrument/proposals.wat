;; What compilers emit by default today: vectors, bulk operations, references, saturating conversions, sign extension.
;; REQUIRES: node
;; RUN: wat2wasm --debug-names %s -o %t.wasm
;; RUN: warpo-instrument -q %t.wasm -o %t.out.wasm --trace-point-mapping-file %t.map
;; RUN: wasm-validate %t.out.wasm
;; RUN: wasm2wat %t.out.wasm | FileCheck %s
;; RUN: %node %S/Inputs/run.mjs --quiet-traces %t.wasm all > %t.before
;; RUN: %node %S/Inputs/run.mjs --quiet-traces %t.out.wasm all 2>&1 > %t.after | FileCheck %s --check-prefix=COUNT
;; RUN: diff %t.before %t.after
;; COUNT: 2 trace points

(module
  (memory 1)
  (table $t 4 externref)
  (global $base i32 (i32.const 42))
  ;; CHECK: (func $all
  (func $all (export "all") (result i32)
    (local $sum i32)
    ;; CHECK:      memory.init $bytes
    ;; CHECK-NEXT: data.drop $bytes
    (memory.init $bytes (i32.const 8) (i32.const 0) (i32.const 4))
    (data.drop $bytes)
    ;; CHECK:      memory.copy
    ;; CHECK:      memory.fill
    (memory.copy (i32.const 16) (i32.const 8) (i32.const 8))
    (memory.fill (i32.const 32) (i32.const 3) (i32.const 8))
    ;; CHECK:      i32.trunc_sat_f64_s
    ;; CHECK-NEXT: i32.extend8_s
    (local.set $sum (i32.extend8_s (i32.trunc_sat_f64_s (f64.const 1e300))))
    ;; CHECK:      v128.load offset=16
    ;; CHECK-NEXT: v128.const i32x4 0x00000001 0x00000002 0x00000003 0x00000004
    ;; CHECK-NEXT: i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23
    ;; CHECK-NEXT: i32x4.extract_lane 1
    (local.set $sum (i32.add (local.get $sum) (i32x4.extract_lane 1
      (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23
        (v128.load offset=16 (i32.const 0)) (v128.const i32x4 1 2 3 4)))))
    ;; CHECK:      v128.load32_lane offset=8 3
    (local.set $sum (i32.add (local.get $sum) (i32x4.extract_lane 3
      (v128.load32_lane offset=8 3 (i32.const 0) (v128.const i64x2 0 0)))))
    ;; CHECK:      table.grow $t
    (drop (table.grow $t (ref.null extern) (i32.const 1)))
    (table.fill $t (i32.const 0) (ref.null extern) (i32.const 2))
    ;; CHECK:      select (result externref)
    (drop (select (result externref) (ref.null extern) (ref.null extern) (i32.const 1)))
    (i32.add (i32.add (local.get $sum) (global.get $base)) (table.size $t)))
  (data $bytes "\01\02\03\04"))
