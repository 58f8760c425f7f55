;; All eight kinds of element segments follow the functions, and those of an imported function go to what records its calls.
;; REQUIRES: node
;; RUN: wat2wasm --debug-names %s -o %t.wasm
;; RUN: warpo-instrument --unwind=none -q %t.wasm -o %t.out.wasm --trace-point-mapping-file %t.map
;; RUN: wasm-validate %t.out.wasm
;; RUN: wasm-objdump -x -j Elem %t.out.wasm | FileCheck %s
;; RUN: %node %S/Inputs/run.mjs %t.out.wasm calls | FileCheck %s --check-prefix=CALLS --match-full-lines

(module
  (import "env" "f" (func $f))
  (table $first 10 funcref)
  (table $second 10 funcref)
  ;; CHECK:      segment[0] flags=0 table=0 count=2 - init i32=1
  ;; CHECK-NEXT:  - elem[1] = func[4] <f (traced)>
  ;; CHECK-NEXT:  - elem[2] = func[2] <g>
  (elem (i32.const 1) func $f $g)
  ;; CHECK-NEXT: segment[1] flags=1 table=0 count=2
  ;; CHECK-NEXT:  - elem[{{[0-9]}}] = func[2] <g>
  ;; CHECK-NEXT:  - elem[{{[0-9]}}] = func[4] <f (traced)>
  (elem $passive func $g $f)
  ;; CHECK-NEXT: segment[2] flags=2 table=1 count=1 - init i32=2
  ;; CHECK-NEXT:  - elem[2] = func[4] <f (traced)>
  (elem (table $second) (i32.const 2) func $f)
  ;; CHECK-NEXT: segment[3] flags=3 table=0 count=2
  ;; CHECK-NEXT:  - elem[{{[0-9]}}] = func[2] <g>
  ;; CHECK-NEXT:  - elem[{{[0-9]}}] = func[4] <f (traced)>
  (elem declare func $g $f)
  ;; CHECK-NEXT: segment[4] flags=4 table=0 count=3 - init i32=3
  ;; CHECK-NEXT:  - elem[3] = func[2] <g>
  ;; CHECK-NEXT:  - elem[4] = ref.null funcref
  ;; CHECK-NEXT:  - elem[5] = func[4] <f (traced)>
  (elem (i32.const 3) funcref (ref.func $g) (ref.null func) (ref.func $f))
  ;; CHECK-NEXT: segment[5] flags=5 table=0 count=2
  ;; CHECK-NEXT:  - elem[{{[0-9]}}] = func[4] <f (traced)>
  (elem $passiveExpressions funcref (ref.func $f) (ref.null func))
  ;; CHECK-NEXT:  - elem[{{[0-9]}}] = ref.null funcref
  ;; CHECK-NEXT: segment[6] flags=6 table=1 count=2 - init i32=4
  ;; CHECK-NEXT:  - elem[4] = func[4] <f (traced)>
  (elem (table $second) (i32.const 4) funcref (ref.func $f) (ref.null func))
  ;; CHECK-NEXT:  - elem[{{[0-9]}}] = ref.null funcref
  ;; CHECK-NEXT: segment[7] flags=7 table=0 count=2
  ;; CHECK-NEXT:  - elem[{{[0-9]}}] = func[4] <f (traced)>
  (elem declare funcref (ref.func $f) (ref.null func))
  ;; CHECK-NOT:  segment

  (func $g)

  ;; The import, from segments of the kinds 0, 4, 2, 6, 1 and 5, and by a reference, which 3 or 7 allows.
  (func $calls (export "calls")
    (call_indirect $first (i32.const 1))
    (call_indirect $first (i32.const 5))
    (call_indirect $second (i32.const 2))
    (call_indirect $second (i32.const 4))
    (table.init $first $passive (i32.const 6) (i32.const 1) (i32.const 1))
    (call_indirect $first (i32.const 6))
    (table.init $first $passiveExpressions (i32.const 7) (i32.const 0) (i32.const 1))
    (call_indirect $first (i32.const 7))
    (table.set $first (i32.const 8) (ref.func $f))
    (call_indirect $first (i32.const 8))))

;; CALLS:      trace +2
;; CALLS-NEXT: trace +0
;; CALLS-NEXT: host env.f()
;; CALLS-NEXT: trace -0
;; CALLS-NEXT: trace +0
;; CALLS-NEXT: host env.f()
;; CALLS-NEXT: trace -0
;; CALLS-NEXT: trace +0
;; CALLS-NEXT: host env.f()
;; CALLS-NEXT: trace -0
;; CALLS-NEXT: trace +0
;; CALLS-NEXT: host env.f()
;; CALLS-NEXT: trace -0
;; CALLS-NEXT: trace +0
;; CALLS-NEXT: host env.f()
;; CALLS-NEXT: trace -0
;; CALLS-NEXT: trace +0
;; CALLS-NEXT: host env.f()
;; CALLS-NEXT: trace -0
;; CALLS-NEXT: trace +0
;; CALLS-NEXT: host env.f()
;; CALLS-NEXT: trace -0
;; CALLS-NEXT: trace -2
