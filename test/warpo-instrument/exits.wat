;; Every way out of a function but exceptions records its end: the end of the code, return, and branches to the function's own label.
;; REQUIRES: node
;; RUN: wat2wasm --debug-names %s -o %t.wasm
;; RUN: warpo-instrument --unwind=none -q %t.wasm -o %t.out.wasm --trace-point-mapping-file %t.map
;; RUN: wasm-validate %t.out.wasm
;; RUN: FileCheck %s --check-prefix=MAP --match-full-lines --input-file=%t.map
;; RUN: wasm-objdump -d %t.out.wasm | FileCheck %s --check-prefix=CODE
;; RUN: %node %S/Inputs/run.mjs %t.out.wasm all | FileCheck %s --check-prefix=SEEN --match-full-lines --strict-whitespace

;; MAP:      16777216 falls
;; MAP-NEXT: 16777217 returns
;; MAP-NEXT: 16777218 branches
;; MAP-NEXT: 16777219 table
;; MAP-NEXT: 16777220 traps
;; MAP-NEXT: 16777221 all
;; MAP-NOT:  {{.}}

(module
  ;; A function that nothing leaves early needs no block.
  ;; CODE-LABEL: <falls>:
  ;; CODE-NEXT:  i32.const 16777216
  ;; CODE-NEXT:  call 0 <builtin.tracePoint>
  ;; CODE-NEXT:  local.get 0
  ;; CODE-NEXT:  i32.const 4278190080
  ;; CODE-NEXT:  call 0 <builtin.tracePoint>
  ;; CODE-NEXT:  end
  (func $falls (param i32) (result i32)
    local.get 0)

  ;; CODE-LABEL: <returns>:
  ;; CODE-NEXT:  i32.const 16777217
  ;; CODE-NEXT:  call 0
  ;; CODE-NEXT:  local.get 0
  ;; CODE-NEXT:  if
  ;; CODE-NEXT:    i32.const 7
  ;; CODE-NEXT:    i32.const 4278190079
  ;; CODE-NEXT:    call 0
  ;; CODE-NEXT:    return
  ;; CODE-NEXT:  end
  ;; CODE-NEXT:  i32.const 8
  ;; CODE-NEXT:  i32.const 4278190079
  ;; CODE-NEXT:  call 0
  ;; CODE-NEXT:  end
  (func $returns (param i32) (result i32)
    (if (local.get 0) (then (return (i32.const 7))))
    i32.const 8)

  ;; A branch to the function's label leaves the block around the body: its depth stays.
  ;; CODE-LABEL: <branches>:
  ;; CODE-NEXT:  i32.const 16777218
  ;; CODE-NEXT:  call 0
  ;; CODE-NEXT:  block i32
  ;; CODE-NEXT:    i32.const 1
  ;; CODE-NEXT:    local.get 0
  ;; CODE-NEXT:    br_if 0
  ;; CODE-NEXT:    drop
  ;; CODE-NEXT:    loop
  ;; CODE-NEXT:      block
  ;; CODE-NEXT:        i32.const 2
  ;; CODE-NEXT:        br 2
  ;; CODE-NEXT:      end
  ;; CODE-NEXT:    end
  ;; CODE-NEXT:    unreachable
  ;; CODE-NEXT:  end
  ;; CODE-NEXT:  i32.const 4278190078
  ;; CODE-NEXT:  call 0
  ;; CODE-NEXT:  end
  (func $branches (param i32) (result i32)
    i32.const 1
    local.get 0
    br_if 0
    drop
    (loop (block (br 2 (i32.const 2))))
    unreachable)

  ;; CODE-LABEL: <table>:
  ;; CODE-NEXT:  i32.const 16777219
  ;; CODE-NEXT:  call 0
  ;; CODE-NEXT:  block
  ;; CODE-NEXT:    block
  ;; CODE-NEXT:      local.get 0
  ;; CODE-NEXT:      br_table 0 1 0
  ;; CODE-NEXT:    end
  ;; CODE-NEXT:    nop
  ;; CODE-NEXT:  end
  ;; CODE-NEXT:  i32.const 4278190077
  (func $table (param i32)
    (block (br_table 0 1 0 (local.get 0)))
    nop)

  ;; A trap leaves the function open; its end has an exit all the same.
  ;; CODE-LABEL: <traps>:
  ;; CODE-NEXT:  i32.const 16777220
  ;; CODE-NEXT:  call 0
  ;; CODE-NEXT:  unreachable
  ;; CODE-NEXT:  i32.const 4278190076
  ;; CODE-NEXT:  call 0
  ;; CODE-NEXT:  end
  (func $traps (result i32)
    unreachable)

  (func $all (export "all") (result i32)
    (drop (call $falls (i32.const 1)))
    (drop (call $returns (i32.const 0)))
    (drop (call $returns (i32.const 1)))
    (drop (call $branches (i32.const 0)))
    (drop (call $branches (i32.const 1)))
    (call $table (i32.const 0))
    (call $table (i32.const 1))
    (call $traps)))

;; SEEN:trace +5
;; SEEN-NEXT:trace +0
;; SEEN-NEXT:trace -0
;; SEEN-NEXT:trace +1
;; SEEN-NEXT:trace -1
;; SEEN-NEXT:trace +1
;; SEEN-NEXT:trace -1
;; SEEN-NEXT:trace +2
;; SEEN-NEXT:trace -2
;; SEEN-NEXT:trace +2
;; SEEN-NEXT:trace -2
;; SEEN-NEXT:trace +3
;; SEEN-NEXT:trace -3
;; SEEN-NEXT:trace +3
;; SEEN-NEXT:trace -3
;; SEEN-NEXT:trace +4
;; SEEN-NEXT:trap unreachable
;; SEEN-NEXT:open 5 4
;; SEEN-NOT:{{.}}
