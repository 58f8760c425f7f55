;; Exceptions in their older form: what an exception leaves has ended too. Branches and returns out of try blocks are exits.
;; REQUIRES: node
;; RUN: wat2wasm --enable-exceptions --debug-names %s -o %t.wasm
;; RUN: warpo-instrument %t.wasm -o %t.out.wasm --trace-point-mapping-file %t.map 2>&1 | FileCheck %s --check-prefix=SUMMARY
;; RUN: wasm-validate --enable-exceptions %t.out.wasm
;; RUN: wasm-objdump -d %t.out.wasm | FileCheck %s --check-prefix=CODE
;; RUN: %node %S/Inputs/run.mjs %t.out.wasm caught 0 | FileCheck %s --check-prefix=PLAIN --match-full-lines
;; RUN: %node %S/Inputs/run.mjs %t.out.wasm caught 5 | FileCheck %s --check-prefix=CAUGHT --match-full-lines
;; RUN: %node %S/Inputs/run.mjs %t.out.wasm delegated 6 | FileCheck %s --check-prefix=DELEGATED --match-full-lines
;; RUN: %node %S/Inputs/run.mjs %t.out.wasm twoResults 7 | FileCheck %s --check-prefix=ESCAPES --match-full-lines

;; Without it, frames that an exception leaves stay open.
;; RUN: warpo-instrument -q --unwind=none %t.wasm -o %t.none.wasm --trace-point-mapping-file %t.map
;; RUN: %node %S/Inputs/run.mjs %t.none.wasm caught 5 | FileCheck %s --check-prefix=NONE --match-full-lines

;; RUN: not warpo-instrument -q --unwind=exnref %t.wasm -o %t.x.wasm --trace-point-mapping-file %t.map 2>&1 | FileCheck %s --check-prefix=MIX
;; MIX: error: {{.*}}: has the legacy form of exception handling: --unwind=exnref would mix the two

;; SUMMARY: 5 functions may end by an exception, which is recorded in the legacy form{{$}}

(module
  (tag $e (param i32))
  (func $throws (param i32) (result i32)
    (if (local.get 0) (then (throw $e (local.get 0))))
    i32.const 1)

  ;; A branch to the function's own label ends in the block of the same depth, before the exit.
  ;; CODE-LABEL: <caught>:
  ;; CODE:       try i32
  ;; CODE-NEXT:    try i32
  ;; CODE-NEXT:      local.get 0
  ;; CODE-NEXT:      call 1 <throws>
  ;; CODE-NEXT:      i32.const 4278190079
  ;; CODE-NEXT:      call 0 <builtin.tracePoint>
  ;; CODE-NEXT:      return
  ;; CODE-NEXT:    catch 0
  ;; CODE-NEXT:      br 1
  ;; CODE-NEXT:    end
  ;; CODE-NEXT:  catch_all
  ;; CODE-NEXT:    i32.const 4278190079
  ;; CODE-NEXT:    call 0 <builtin.tracePoint>
  ;; CODE-NEXT:    rethrow 0
  ;; CODE-NEXT:  end
  ;; CODE-NEXT:  i32.const 4278190079
  (func $caught (export "caught") (param i32) (result i32)
    (try (result i32)
      (do
        (return (call $throws (local.get 0))))
      (catch $e
        br 1)))

  ;; A delegation to the function itself goes through its exit.
  ;; CODE-LABEL: <delegates>:
  ;; CODE:       try i32
  ;; CODE:         try i32
  ;; CODE:         delegate 0
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
        i32.const 9)))

  ;; CODE-LABEL: <twoResults>:
  ;; CODE:       try type[
  (func $twoResults (export "twoResults") (param i32) (result i32 i64)
    (call $throws (local.get 0))
    (i64.const 5))

  ;; What calls nothing and throws nothing is left by no exception.
  ;; CODE-LABEL: <leaf>:
  ;; CODE-NOT:   try
  (func $leaf (export "leaf") (result i32)
    i32.const 1))

;; PLAIN:      trace +1
;; PLAIN-NEXT: trace +0
;; PLAIN-NEXT: trace -0
;; PLAIN-NEXT: trace -1
;; PLAIN-NEXT: result 1

;; CAUGHT:      trace +1
;; CAUGHT-NEXT: trace +0
;; CAUGHT-NEXT: trace -0
;; CAUGHT-NEXT: trace -1
;; CAUGHT-NEXT: result 5

;; DELEGATED:      trace +3
;; DELEGATED-NEXT: trace +2
;; DELEGATED-NEXT: trace +0
;; DELEGATED-NEXT: trace -0
;; DELEGATED-NEXT: trace -2
;; DELEGATED-NEXT: trace -3
;; DELEGATED-NEXT: result 9

;; ESCAPES:      trace +4
;; ESCAPES-NEXT: trace +0
;; ESCAPES-NEXT: trace -0
;; ESCAPES-NEXT: trace -4
;; ESCAPES-NEXT: trap {{.*}}
;; ESCAPES-NOT:  open

;; NONE:      trace +1
;; NONE-NEXT: trace +0
;; NONE-NEXT: unbalanced end of 16777217
;; NONE-NEXT: trace -1
;; NONE-NEXT: result 5
