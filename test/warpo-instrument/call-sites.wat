;; --no-import-thunks: the trace points of an imported function stand around each of its calls.
;; REQUIRES: node
;; RUN: wat2wasm --enable-tail-call --debug-names %s -o %t.wasm
;; RUN: warpo-instrument --no-import-thunks --unwind=none %t.wasm -o %t.out.wasm --trace-point-mapping-file %t.map --info-file=%t.json 2>&1 | FileCheck %s --check-prefix=SUMMARY
;; SUMMARY: traced 2 calls of imported functions where they are; tail calls and references are not
;; RUN: wasm-validate --enable-tail-call %t.out.wasm
;; RUN: wasm-objdump -d %t.out.wasm | FileCheck %s
;; RUN: %node %S/Inputs/run.mjs %t.out.wasm main | FileCheck %s --check-prefix=TRACE --match-full-lines
;; RUN: FileCheck %s --check-prefix=INFO < %t.json
;; INFO-NOT: thunkIndex

(module
  (import "env" "add" (func $add (param i32 i32) (result i32)))
  (table 1 funcref)
  (elem (i32.const 0) $add)
  (type $binary (func (param i32 i32) (result i32)))
  ;; CHECK-LABEL: <main>:
  ;; CHECK:      i32.const 2
  ;; CHECK-NEXT: i32.const 3
  ;; CHECK-NEXT: i32.const 16777216
  ;; CHECK-NEXT: call 1 <builtin.tracePoint>
  ;; CHECK-NEXT: call 0 <add>
  ;; CHECK-NEXT: i32.const 4278190080
  ;; CHECK-NEXT: call 1 <builtin.tracePoint>
  (func $main (export "main") (result i32)
    (drop (call $add (i32.const 2) (i32.const 3)))
    (drop (call_indirect (type $binary) (i32.const 4) (i32.const 5) (i32.const 0)))
    (drop (call $add (i32.const 6) (i32.const 7)))
    (return_call $add (i32.const 8) (i32.const 9))))

;; TRACE:      trace +1
;; TRACE-NEXT: trace +0
;; TRACE-NEXT: host env.add(2, 3)
;; TRACE-NEXT: trace -0
;; TRACE-NEXT: host env.add(4, 5)
;; TRACE-NEXT: trace +0
;; TRACE-NEXT: host env.add(6, 7)
;; TRACE-NEXT: trace -0
;; TRACE-NEXT: trace -1
;; TRACE-NEXT: host env.add(8, 9)
;; TRACE-NEXT: result 0
