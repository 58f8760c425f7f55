;; Fuel is counted where straight runs begin, in the module's last global; trace points tell it.
;; RUN: warpo-instrument --instrumentation=fuel %s -o %t.fuel.wasm --trace-point-mapping-file %t.map \
;; RUN:   --info-file=%t.info 2>&1 | FileCheck %s --check-prefix=NOTE
;; RUN: wasm-validate %t.fuel.wasm
;; RUN: wasm-objdump -d %t.fuel.wasm | FileCheck %s --check-prefixes=CODE,PLAIN
;; RUN: wasm-objdump -x %t.fuel.wasm | FileCheck %s --check-prefix=PARTS
;; RUN: wasm-objdump -d %t.fuel.wasm | FileCheck %s --check-prefix=GET
;; RUN: warpo-instrument -q --instrumentation=fuel --export-globals %s -o %t.globals.wasm --trace-point-mapping-file %t.map
;; RUN: wasm-validate %t.globals.wasm
;; RUN: wasm-objdump -x -j Export %t.globals.wasm | FileCheck %s --check-prefix=GLOBALS
;; RUN: FileCheck %s --check-prefix=INFO --input-file=%t.info
;; RUN: warpo-instrument -q --instrumentation=fuel,trace --unwind=none %s -o %t.both.wasm --trace-point-mapping-file %t.map
;; RUN: wasm-validate %t.both.wasm
;; RUN: wasm-objdump -d %t.both.wasm | FileCheck %s --check-prefixes=CODE,TRACE
;; RUN: warpo-instrument -q --instrumentation=trace,fuel --unwind=none %s -o %t.order.wasm --trace-point-mapping-file %t.map
;; RUN: cmp %t.both.wasm %t.order.wasm

;; Nothing of trace points is in a module that only counts: no call goes elsewhere.
;; NOTE-NOT: instrumented
;; NOTE:     counts fuel at 5 straight runs
;; NOTE-NOT: exception

;; The counter is behind all other globals. Two functions behind all others read and set it.
;; PARTS:      Import[1]:
;; PARTS-NEXT:  - func[0] sig={{[0-9]+}} <print> <- env.print
;; PARTS:      Global[2]:
;; PARTS-NEXT:  - global[0] i32
;; PARTS-NEXT:  - global[1] i64 mutable=1 - init i64=0
;; PARTS:      Export[
;; PARTS-NOT:   - global
;; PARTS:       - func[5] <__warpo_get_fuel> -> "__warpo_get_fuel"
;; PARTS-NEXT:  - func[6] <__warpo_set_fuel> -> "__warpo_set_fuel"
;; PARTS:       - name: "warpo.fuel"
;; PARTS:       - name: "warpo.module"

;; GET:      <__warpo_get_fuel>:
;; GET-NEXT:  global.get 1
;; GET-NEXT:  end
;; GET:      <__warpo_set_fuel>:
;; GET-NEXT:  local.get 0
;; GET-NEXT:  global.set 1
;; GET-NEXT:  end

;; A host may have the global itself.
;; GLOBALS:     Export[
;; GLOBALS-NOT:  __warpo_get
;; GLOBALS:      - global[1] -> "__warpo_fuel"

;; INFO:     "fuelCosts": "1"
;; INFO-NOT: "changedCosts"

(module
  (import "env" "print" (func $print (param i32)))
  (global i32 (i32.const 0))

  ;; What a caller has used is told before the function's own is counted; at the exit, all of it.
  ;; CODE-LABEL: <calls>:
  ;; TRACE-NEXT:  i32.const 16777217
  ;; TRACE-NEXT:  global.get 1
  ;; TRACE-NEXT:  call 1 <builtin.tracePointFuel>
  ;; CODE-NEXT:   global.get 1
  ;; CODE-NEXT:   i64.const 3
  ;; CODE-NEXT:   i64.add
  ;; CODE-NEXT:   global.set 1
  ;; CODE-NEXT:   i32.const 1
  ;; CODE-NEXT:   call {{[0-9]}} <print
  ;; CODE-NEXT:   call {{[0-9]}} <nothing>
  ;; TRACE-NEXT:  i32.const 4278190079
  ;; TRACE-NEXT:  global.get 1
  ;; TRACE-NEXT:  call 1
  ;; CODE-NEXT:   end
  (func $calls (export "calls")
    i32.const 1
    call $print
    call $nothing)

  ;; CODE-LABEL: <nothing>:
  ;; PLAIN-NEXT:  end
  (func $nothing)

  ;; PLAIN-LABEL: <loops>:
  ;; PLAIN-NEXT:  loop
  ;; PLAIN-NEXT:    global.get 1
  ;; PLAIN-NEXT:    i64.const 5
  ;; PLAIN-NEXT:    i64.add
  ;; PLAIN-NEXT:    global.set 1
  ;; PLAIN-NEXT:    local.get 0
  ;; PLAIN-NEXT:    i32.const 1
  ;; PLAIN-NEXT:    i32.sub
  ;; PLAIN-NEXT:    local.tee 0
  ;; PLAIN-NEXT:    br_if 0
  ;; PLAIN-NEXT:  end
  ;; PLAIN-NEXT:  end
  (func $loops (param i32)
    loop
      local.get 0
      i32.const 1
      i32.sub
      local.tee 0
      br_if 0
    end)

  ;; PLAIN-LABEL: <branches>:
  ;; PLAIN-NEXT:  global.get 1
  ;; PLAIN-NEXT:  i64.const 2
  ;; PLAIN:       local.get 0
  ;; PLAIN-NEXT:  if
  ;; PLAIN-NEXT:    global.get 1
  ;; PLAIN-NEXT:    i64.const 2
  ;; PLAIN:         i32.const 2
  ;; PLAIN-NEXT:    return
  ;; PLAIN-NEXT:    drop
  ;; PLAIN-NEXT:    block
  ;; PLAIN-NEXT:    end
  ;; PLAIN-NEXT:  else
  ;; PLAIN-NEXT:    global.get 1
  ;; PLAIN-NEXT:    i64.const 4
  ;; PLAIN:         nop
  ;; PLAIN-NEXT:    local.get 0
  ;; PLAIN-NEXT:    drop
  ;; PLAIN-NEXT:  end
  ;; PLAIN-NEXT:  i32.const 3
  ;; PLAIN-NEXT:  return
  ;; PLAIN-NEXT:  end
  (func $branches (param i32) (result i32)
    local.get 0
    if
      i32.const 2
      return
      drop
      block
      end
    else
      nop
      local.get 0
      drop
    end
    i32.const 3
    return))
