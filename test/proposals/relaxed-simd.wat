;; Relaxed vector instructions.
;; REQUIRES: npm, new-node
;; RUN: %new-node %S/Inputs/prove.mjs %s %t | FileCheck %s --match-full-lines
;; CHECK:      main = 54: main(madd dot)
;; CHECK-NOT:  {{.}}

(module
  (func $madd (param f32) (result v128)
    (f32x4.relaxed_madd (f32x4.splat (local.get 0)) (f32x4.splat (f32.const 4)) (f32x4.splat (f32.const 2))))
  (func $dot (result v128)
    (i32x4.relaxed_dot_i8x16_i7x16_add_s
      (i8x16.splat (i32.const 1)) (i8x16.splat (i32.const 10)) (v128.const i32x4 0 0 0 0)))
  (func $main (export "main") (result i32)
    (i32.add
      (i32x4.extract_lane 0 (i32x4.relaxed_trunc_f32x4_s (call $madd (f32.const 3))))
      (i32x4.extract_lane 3 (i32x4.relaxed_laneselect
        (call $dot) (v128.const i32x4 0 0 0 0) (v128.const i32x4 -1 -1 -1 -1))))))
