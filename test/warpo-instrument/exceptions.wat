;; Exceptions in their older form: branches and returns out of try blocks are exits; a function that an exception leaves stays open.
;; REQUIRES: node
;; RUN: wat2wasm --enable-exceptions --debug-names %s -o %t.wasm
;; RUN: warpo-instrument -q %t.wasm -o %t.out.wasm --trace-point-mapping-file %t.map
;; RUN: wasm-validate --enable-exceptions %t.out.wasm
;; RUN: wasm-objdump -d %t.out.wasm | FileCheck %s --check-prefix=CODE
;; RUN: %node %S/Inputs/run.mjs %t.out.wasm caught 0 | FileCheck %s --check-prefix=PLAIN --match-full-lines
;; RUN: %node %S/Inputs/run.mjs %t.out.wasm caught 5 | FileCheck %s --check-prefix=CAUGHT --match-full-lines
;; RUN: %node %S/Inputs/run.mjs %t.out.wasm delegated 6 | FileCheck %s --check-prefix=DELEGATED --match-full-lines

(module
  (tag $e (param i32))
  (func $throws (param i32) (result i32)
    (if (local.get 0) (then (throw $e (local.get 0))))
    i32.const 1)

  ;; The branch out of the handler leaves the block around the body.
  ;; CODE-LABEL: <caught>:
  ;; CODE:       block i32
  ;; CODE-NEXT:    try i32
  ;; CODE-NEXT:      local.get 0
  ;; CODE-NEXT:      call 1 <throws>
  ;; CODE-NEXT:      i32.const 4278190079
  ;; CODE-NEXT:      call 0 <builtin.tracePoint>
  ;; CODE-NEXT:      return
  ;; CODE-NEXT:    catch 0
  ;; CODE-NEXT:      br 1
  ;; CODE-NEXT:    end
  ;; CODE-NEXT:  end
  ;; CODE-NEXT:  i32.const 4278190079
  (func $caught (export "caught") (param i32) (result i32)
    (try (result i32)
      (do
        (return (call $throws (local.get 0))))
      (catch $e
        br 1)))

  ;; A delegation to the function itself stays one to the caller.
  ;; CODE-LABEL: <delegates>:
  ;; CODE:       try i32
  ;; CODE:       delegate 0
  (func $delegates (param i32) (result i32)
    (try (result i32)
      (do
        (call $throws (local.get 0)))
      (delegate 0)))
  (func $delegated (export "delegated") (param i32) (result i32)
    (try (result i32)
      (do
        (call $delegates (local.get 0)))
      (catch_all
        i32.const 9))))

;; PLAIN:      trace +1
;; PLAIN-NEXT: trace +0
;; PLAIN-NEXT: trace -0
;; PLAIN-NEXT: trace -1
;; PLAIN-NEXT: result 1

;; CAUGHT:      trace +1
;; CAUGHT-NEXT: trace +0
;; CAUGHT-NEXT: unbalanced end of 16777217
;; CAUGHT-NEXT: trace -1
;; CAUGHT-NEXT: result 5

;; DELEGATED:      trace +3
;; DELEGATED-NEXT: trace +2
;; DELEGATED-NEXT: trace +0
;; DELEGATED-NEXT: unbalanced end of 16777219
;; DELEGATED-NEXT: trace -3
;; DELEGATED-NEXT: result 9
