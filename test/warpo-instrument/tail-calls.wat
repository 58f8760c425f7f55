;; The end of a function that leaves by a tail call is recorded before the call.
;; REQUIRES: node
;; RUN: wat2wasm --enable-tail-call --debug-names %s -o %t.wasm
;; RUN: warpo-instrument --unwind=none -q %t.wasm -o %t.out.wasm --trace-point-mapping-file %t.map
;; RUN: wasm-validate --enable-tail-call %t.out.wasm
;; RUN: wasm-objdump -d %t.out.wasm | FileCheck %s --check-prefix=CODE
;; RUN: %node %S/Inputs/run.mjs %t.out.wasm direct 3 | FileCheck %s --check-prefix=DIRECT --match-full-lines
;; RUN: %node %S/Inputs/run.mjs %t.out.wasm indirect 3 | FileCheck %s --check-prefix=INDIRECT --match-full-lines
;; RUN: %node %S/Inputs/run.mjs %t.out.wasm host 3 | FileCheck %s --check-prefix=HOST --match-full-lines

(module
  (type $unary (func (param i32) (result i32)))
  (import "env" "f" (func $f (type $unary)))
  (table funcref (elem $twice))
  (func $twice (type $unary)
    (i32.mul (local.get 0) (i32.const 2)))

  ;; CODE-LABEL: <direct>:
  ;; CODE:       local.get 0
  ;; CODE-NEXT:  i32.const 4278190078
  ;; CODE-NEXT:  call 1 <builtin.tracePoint>
  ;; CODE-NEXT:  return_call 2{{$}}
  (func $direct (export "direct") (type $unary)
    (return_call $twice (local.get 0)))
  (func $indirect (export "indirect") (type $unary)
    (return_call_indirect (type $unary) (local.get 0) (i32.const 0)))
  ;; CODE-LABEL: <host>:
  ;; CODE:       return_call 6{{$}}
  (func $host (export "host") (type $unary)
    (return_call $f (local.get 0))))

;; DIRECT:      trace +2
;; DIRECT-NEXT: trace -2
;; DIRECT-NEXT: trace +1
;; DIRECT-NEXT: trace -1
;; DIRECT-NEXT: result 6

;; INDIRECT:      trace +3
;; INDIRECT-NEXT: trace -3
;; INDIRECT-NEXT: trace +1
;; INDIRECT-NEXT: trace -1
;; INDIRECT-NEXT: result 6

;; HOST:      trace +4
;; HOST-NEXT: trace -4
;; HOST-NEXT: trace +0
;; HOST-NEXT: host env.f(3)
;; HOST-NEXT: trace -0
;; HOST-NEXT: result 0

;; CODE-LABEL: func[6] <f (traced)>:
