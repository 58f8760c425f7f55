;; The block around a body has the function's results: several of them, with parameters and without.
;; REQUIRES: node
;; RUN: wat2wasm --debug-names %s -o %t.wasm
;; RUN: warpo-instrument --unwind=none -q %t.wasm -o %t.out.wasm --trace-point-mapping-file %t.map
;; RUN: wasm-validate %t.out.wasm
;; RUN: wasm-objdump -x -j Type %t.out.wasm | FileCheck %s --check-prefix=TYPES
;; RUN: wasm-objdump -d %t.out.wasm | FileCheck %s --check-prefix=CODE
;; RUN: %node %S/Inputs/run.mjs --quiet-traces %t.wasm swap 1 2n > %t.before
;; RUN: %node %S/Inputs/run.mjs --quiet-traces %t.out.wasm swap 1 2n > %t.after 2> %t.count
;; RUN: diff %t.before %t.after
;; RUN: FileCheck %s --check-prefix=RESULT --match-full-lines --input-file=%t.after
;; RESULT: result 2,1
;; RUN: FileCheck %s --check-prefix=COUNT --match-full-lines --input-file=%t.count
;; COUNT: 4 trace points

;; Of the types that are added, those of blocks have no parameters; one that the module has is used.
;; TYPES:      type[0] (i32, i64) -> (i64, i32)
;; TYPES-NEXT: type[1] () -> (i32, i32)
;; TYPES-NEXT: type[2] () -> (i64, i32)
;; TYPES-NEXT: type[3] (i32) -> nil
;; TYPES-NOT:  type[

(module
  ;; CODE-LABEL: <swap>:
  ;; CODE:       block type[2]
  ;; CODE:       br 0
  (func $swap (export "swap") (param i32 i64) (result i64 i32)
    call $pair
    drop
    drop
    local.get 1
    local.get 0
    br 0)
  ;; CODE-LABEL: <pair>:
  ;; CODE:       block type[1]
  ;; CODE:       br 0
  (func $pair (result i32 i32)
    i32.const 1
    i32.const 2
    br 0))
