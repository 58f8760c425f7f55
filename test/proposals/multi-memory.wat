;; Several memories: loads, stores and bulk operations that name the second.
;; REQUIRES: npm, new-node
;; RUN: %new-node %S/Inputs/prove.mjs %s %t | FileCheck %s --match-full-lines
;; CHECK:      main = 25: main(sum)
;; CHECK-NOT:  {{.}}

(module
  (memory $first 1)
  (memory $second 1 3)
  (data $text (memory $second) (i32.const 4) "\05\06")
  (data $later "\07")
  (func $sum (param i32) (result i32)
    (i32.add (i32.load8_u $second (local.get 0)) (i32.load8_u $first offset=1 (local.get 0))))
  (func $main (export "main") (result i32)
    (memory.copy $first $second (i32.const 0) (i32.const 4) (i32.const 2))
    (memory.fill $second (i32.const 16) (i32.const 2) (i32.const 8))
    (memory.init $second $later (i32.const 0) (i32.const 0) (i32.const 1))
    (i32.store $second offset=64 (i32.const 0) (i32.const 9))
    (v128.store32_lane $second offset=68 0 (i32.const 0) (v128.const i32x4 1 2 3 4))
    ;; 7 + 6, 9, 1 and 2 pages after growing by one, less 1
    (i32.add (call $sum (i32.const 0))
      (i32.add (i32.load $second offset=64 (i32.const 0))
        (i32.add (i32.load $second offset=68 (i32.const 0))
          (i32.add (memory.grow $second (i32.const 1)) (i32.sub (memory.size $second) (i32.const 1))))))))
