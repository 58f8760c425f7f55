;; Orders of atomic accesses: the order stands before the offset, which must not be taken for code. V8 puts it elsewhere.
;; REQUIRES: npm, new-node
;; RUN: %new-node --experimental-wasm-acquire-release %S/Inputs/prove.mjs %s %t | FileCheck %s --match-full-lines
;; CHECK:      not run, since V8 {{[0-9]+}} does not know it: {{.+}}
;; CHECK-NOT:  {{.}}

(module
  (memory $first 1 1 shared)
  (memory $second 1 1 shared)
  (func $store (param i32)
    (i32.atomic.store $second acqrel offset=12 (i32.const 0) (local.get 0))
    (atomic.fence acqrel))
  ;; Offsets that are the codes of call and end.
  (func $main (export "main") (result i32)
    (call $store (i32.const 5))
    (i32.atomic.store $first acqrel offset=16 (i32.const 0) (i32.const 1))
    (drop (i32.atomic.rmw8.add_u $second acqrel offset=11 (i32.const 1) (i32.const 2)))
    (i32.add (i32.atomic.load $first acqrel offset=16 (i32.const 0))
      (i32.atomic.load $second acqrel offset=12 (i32.const 0)))))
