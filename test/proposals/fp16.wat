;; Half-precision floating point: loads, stores and vectors of eight.
;; REQUIRES: npm, new-node
;; RUN: %new-node --experimental-wasm-fp16 %S/Inputs/prove.mjs %s %t | FileCheck %s --match-full-lines
;; CHECK:      vector = 1.9365234375: vector(half)
;; CHECK-NOT:  {{.}}

(module
  (memory 1)
  (func $half (param f32) (result f32)
    (f32.store_f16 (i32.const 8) (local.get 0))
    (f32.load_f16 offset=4 (i32.const 4)))
  (func $vector (export "vector") (result f32)
    (local $v v128)
    (local.set $v (f16x8.splat (call $half (f32.const 1.5))))
    (local.set $v (f16x8.replace_lane 3 (local.get $v) (f32.const 4)))
    (local.set $v (f16x8.madd (local.get $v) (local.get $v) (local.get $v)))
    (local.set $v (f16x8.sqrt (f16x8.max (local.get $v) (f16x8.neg (local.get $v)))))
    (drop (f16x8.lt (local.get $v) (local.get $v)))
    (drop (f32x4.promote_low_f16x8 (f16x8.demote_f32x4_zero (local.get $v))))
    (drop (i16x8.trunc_sat_f16x8_s (local.get $v)))
    (f16x8.extract_lane 0 (local.get $v))))
