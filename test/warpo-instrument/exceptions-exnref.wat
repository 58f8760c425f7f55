;; Exceptions in their newer form: the label of a try_table takes the place of the function's own.
;; REQUIRES: npm, new-node
;; RUN: %new-wasm-as -all -g %s -o %t.wasm
;; RUN: warpo-instrument %t.wasm -o %t.out.wasm --trace-point-mapping-file %t.map 2>&1 | FileCheck %s --check-prefix=SUMMARY
;; SUMMARY: 3 functions may end by an exception, which is recorded in the exnref form{{$}}
;; RUN: %new-wasm-opt -all %t.out.wasm -o %t.valid.wasm
;; RUN: %new-node %S/Inputs/run.mjs %t.out.wasm caught 5 | FileCheck %s --check-prefix=CAUGHT --match-full-lines
;; RUN: %new-node %S/Inputs/run.mjs %t.out.wasm caught 0 | FileCheck %s --check-prefix=PLAIN --match-full-lines
;; RUN: %new-node %S/Inputs/run.mjs %t.out.wasm again 6 | FileCheck %s --check-prefix=AGAIN --match-full-lines

;; RUN: not warpo-instrument -q --unwind=legacy %t.wasm -o %t.x.wasm --trace-point-mapping-file %t.map 2>&1 | FileCheck %s --check-prefix=MIX
;; MIX: error: {{.*}}: has the newer form of exception handling: --unwind=legacy would mix the two

(module
  (tag $e (param i32))
  (func $throws (param i32) (result i32 i64)
    (if (local.get 0) (then (throw $e (local.get 0))))
    (i32.const 1) (i64.const 2))

  (func $caught (export "caught") (param i32) (result i32)
    (block $handler (result i32)
      (try_table (catch $e $handler)
        (call $throws (local.get 0))
        (drop) (drop))
      ;; Out of the function by its own label, and by a clause's.
      (br 1 (i32.const 8))))

  (func $again (export "again") (param i32) (result i32)
    (block $handler (result exnref)
      (drop (drop (try_table (result i32 i64) (catch_all_ref $handler)
        (call $throws (local.get 0)))))
      (return (i32.const 3)))
    (throw_ref)))

;; CAUGHT:      trace +1
;; CAUGHT-NEXT: trace +0
;; CAUGHT-NEXT: trace -0
;; CAUGHT-NEXT: trace -1
;; CAUGHT-NEXT: result 5

;; PLAIN:      trace +1
;; PLAIN-NEXT: trace +0
;; PLAIN-NEXT: trace -0
;; PLAIN-NEXT: trace -1
;; PLAIN-NEXT: result 8

;; AGAIN:      trace +2
;; AGAIN-NEXT: trace +0
;; AGAIN-NEXT: trace -0
;; AGAIN-NEXT: trace -2
;; AGAIN-NEXT: trap {{.*}}
;; AGAIN-NOT:  open
