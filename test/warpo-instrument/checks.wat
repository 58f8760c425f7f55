;; fuel-limit and sample ask the host at entries and heads of loops, behind what is counted there; a shadow stack is told entries and exits.
;; RUN: warpo-instrument -q --instrumentation=fuel-limit %s -o %t.limit.wasm --trace-point-mapping-file %t.map
;; RUN: wasm-validate %t.limit.wasm
;; RUN: wasm-objdump -d %t.limit.wasm | FileCheck %s --check-prefixes=CODE -DHOST=outOfFuel -DCALL=1 -DBOUND=0 -DFUEL=1
;; RUN: wasm-objdump -x %t.limit.wasm | FileCheck %s --check-prefix=LIMIT
;; RUN: warpo-instrument -q --instrumentation=sample --stack=engine %s -o %t.engine.wasm --trace-point-mapping-file %t.map
;; RUN: wasm-validate %t.engine.wasm
;; RUN: wasm-objdump -d %t.engine.wasm | FileCheck %s --check-prefixes=CODE -DHOST=sample -DCALL=1 -DBOUND=0 -DFUEL=1
;; RUN: wasm-objdump -x %t.engine.wasm | FileCheck %s --check-prefix=SAMPLE
;; RUN: warpo-instrument -q --instrumentation=sample --unwind=none %s -o %t.shadow.wasm --trace-point-mapping-file %t.map
;; RUN: wasm-validate %t.shadow.wasm
;; RUN: wasm-objdump -d %t.shadow.wasm | FileCheck %s --check-prefixes=CODE,SHADOW -DHOST=sample -DCALL=3 -DBOUND=0 -DFUEL=1

;; LIMIT:      Import[2]:
;; LIMIT-NEXT:  - func[0] {{.*}} <- env.print
;; LIMIT-NEXT:  - func[1] {{.*}} <- builtin.outOfFuel
;; LIMIT:      Global[2]:
;; LIMIT-NEXT:  - global[0] i64 mutable=1 {{.*}}init i64=0
;; LIMIT-NEXT:  - global[1] i64 mutable=1 {{.*}}init i64=0
;; LIMIT-DAG:   - global[0] -> "__warpo_fuel_limit"
;; LIMIT-DAG:   - global[1] -> "__warpo_fuel"

;; SAMPLE-DAG:  - global[0] -> "__warpo_sample_due"
;; SAMPLE-DAG:  - global[1] -> "__warpo_fuel"
(module
  (import "env" "print" (func $print (param i32)))

  ;; CODE-LABEL:  <f>:
  ;; SHADOW-NEXT:  i32.const 16777217
  ;; SHADOW-NEXT:  call 1 <builtin.enterFrame>
  ;; CODE-NEXT:    global.get [[FUEL]]
  ;; CODE-NEXT:    i64.const 4
  ;; CODE-NEXT:    i64.add
  ;; CODE-NEXT:    global.set [[FUEL]]
  ;; CODE-NEXT:    global.get [[FUEL]]
  ;; CODE-NEXT:    global.get [[BOUND]]
  ;; CODE-NEXT:    i64.ge_s
  ;; CODE-NEXT:    if
  ;; CODE-NEXT:      global.get [[FUEL]]
  ;; CODE-NEXT:      call [[CALL]] <builtin.[[HOST]]>
  ;; CODE-NEXT:      global.set [[BOUND]]
  ;; CODE-NEXT:    end
  ;; CODE-NEXT:    i32.const 1
  ;; CODE-NEXT:    call {{[0-9]}} <print
  ;; CODE-NEXT:    local.get 0
  ;; CODE-NEXT:    if
  ;; CODE-NEXT:      global.get [[FUEL]]
  ;; CODE-NEXT:      i64.const 1
  ;; CODE-NEXT:      i64.add
  ;; CODE-NEXT:      global.set [[FUEL]]
  ;; CODE-NEXT:      call {{[0-9]}} <nothing>
  ;; CODE-NEXT:      loop
  ;; CODE-NEXT:        global.get [[FUEL]]
  ;; CODE-NEXT:        i64.const 1
  ;; CODE-NEXT:        i64.add
  ;; CODE-NEXT:        global.set [[FUEL]]
  ;; CODE-NEXT:        global.get [[FUEL]]
  ;; CODE-NEXT:        global.get [[BOUND]]
  ;; CODE-NEXT:        i64.ge_s
  ;; CODE-NEXT:        if
  ;; CODE-NEXT:          global.get [[FUEL]]
  ;; CODE-NEXT:          call [[CALL]]
  ;; CODE-NEXT:          global.set [[BOUND]]
  ;; CODE-NEXT:        end
  ;; CODE-NEXT:        br 0
  ;; CODE-NEXT:      end
  ;; CODE-NEXT:    end
  ;; SHADOW-NEXT:  i32.const 16777217
  ;; SHADOW-NEXT:  call 2 <builtin.leaveFrame>
  ;; CODE-NEXT:    end
  (func $f (export "f") (param i32)
    i32.const 1
    call $print
    local.get 0
    if
      call $nothing
      loop
        br 0
      end
    end)

  ;; There may be no end of calls that cost nothing here: an entry is always checked.
  ;; CODE-LABEL: <nothing>:
  ;; CODE:        i64.ge_s
  (func $nothing)

  ;; A function around an import has no code of the program's.
  ;; SHADOW-LABEL: <print (traced)>:
  ;; SHADOW-NEXT:  i32.const 16777216
  ;; SHADOW-NEXT:  call 1 <builtin.enterFrame>
  ;; SHADOW-NEXT:  local.get 0
  ;; SHADOW-NEXT:  call 0 <print>
  ;; SHADOW-NEXT:  i32.const 16777216
  ;; SHADOW-NEXT:  call 2 <builtin.leaveFrame>
  ;; SHADOW-NEXT:  end
)
