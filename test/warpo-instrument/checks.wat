;; fuel-limit asks the host at entries and heads of loops, behind what is counted there; sample where the stack changes and at heads of loops, beside what a shadow stack is told.
;; RUN: warpo-instrument -q --instrumentation=fuel-limit %s -o %t.limit.wasm --trace-point-mapping-file %t.map
;; RUN: wasm-validate %t.limit.wasm
;; RUN: wasm-objdump -d %t.limit.wasm | FileCheck %s --check-prefixes=CODE,LIMIT -DHOST=outOfFuel -DASK=1
;; RUN: wasm-objdump -x %t.limit.wasm | FileCheck %s --check-prefix=LIMITS
;; RUN: warpo-instrument -q --instrumentation=sample --stack=engine %s -o %t.engine.wasm --trace-point-mapping-file %t.map
;; RUN: wasm-validate %t.engine.wasm
;; RUN: wasm-objdump -d %t.engine.wasm | FileCheck %s --check-prefixes=CODE,SAMPLE,ENGINE -DHOST=sample -DASK=1 -DATENTRY=2
;; RUN: wasm-objdump -x %t.engine.wasm | FileCheck %s --check-prefix=SAMPLES
;; RUN: warpo-instrument -q --instrumentation=sample --unwind=none %s -o %t.shadow.wasm --trace-point-mapping-file %t.map
;; RUN: wasm-validate %t.shadow.wasm
;; RUN: wasm-objdump -d %t.shadow.wasm | FileCheck %s --check-prefixes=CODE,SAMPLE,SHADOW -DHOST=sample -DASK=1 -DATENTRY=1

;; RUN: warpo-instrument -q --instrumentation=sample --stack=engine --due=time --export-globals %s -o %t.timed.wasm --trace-point-mapping-file %t.map
;; RUN: wasm-validate %t.timed.wasm
;; RUN: wasm-objdump -d %t.timed.wasm | FileCheck %s --check-prefix=TIMED
;; RUN: wasm-objdump -x %t.timed.wasm | FileCheck %s --check-prefix=POINT

;; Nothing is counted, and there is nothing else for the host.
;; TIMED-LABEL:   <f>:
;; TIMED-NEXT:     global.get 0
;; TIMED-NEXT:     i64.eqz
;; TIMED-NEXT:     if
;; TIMED-NEXT:       i32.const 16777217
;; TIMED-NEXT:       global.get 0
;; TIMED-NEXT:       call 2 <builtin.sampleCaller>
;; TIMED-NEXT:       global.set 0
;; TIMED-NEXT:       drop
;; TIMED-NEXT:     end
;; TIMED-NEXT:     i32.const 1
;; TIMED:          loop
;; TIMED-NEXT:       global.get 0
;; TIMED-NEXT:       i64.eqz
;; TIMED-NEXT:       if
;; TIMED-NEXT:         global.get 0
;; TIMED-NEXT:         call 1 <builtin.sample>
;; TIMED-NEXT:         global.set 0
;; TIMED-NEXT:       end
;; TIMED-NOT:      i64.add
;; POINT:      Global[1]:
;; POINT-NEXT:  - global[0] i64 mutable=1 <{{.*}}> - init i64=0
;; POINT-NOT:  __warpo_get
;; POINT:      "__warpo_sample_due"

;; LIMITS:      Import[2]:
;; LIMITS-NEXT:  - func[0] {{.*}} <- env.print
;; LIMITS-NEXT:  - func[1] {{.*}} <- builtin.outOfFuel
;; LIMITS:      Global[2]:
;; LIMITS-NEXT:  - global[0] i64 mutable=1 {{.*}}init i64=0
;; LIMITS-NEXT:  - global[1] i64 mutable=1 {{.*}}init i64=0
;; LIMITS-NOT:   - global[{{.*}}->
;; LIMITS-DAG:   -> "__warpo_get_fuel_limit"
;; LIMITS-DAG:   -> "__warpo_set_fuel_limit"
;; LIMITS-DAG:   -> "__warpo_get_fuel"
;; LIMITS-DAG:   -> "__warpo_set_fuel"

;; SAMPLES:      Import[3]:
;; SAMPLES-NEXT:  - func[0] {{.*}} <- env.print
;; SAMPLES-NEXT:  - func[1] {{.*}} <- builtin.sample
;; SAMPLES-NEXT:  - func[2] {{.*}} <- builtin.sampleCaller
;; SAMPLES-NOT:   - global[{{.*}}->
;; SAMPLES-DAG:   -> "__warpo_get_sample_due"
;; SAMPLES-DAG:   -> "__warpo_set_sample_due"
;; SAMPLES-DAG:   -> "__warpo_get_fuel"
;; SAMPLES-DAG:   -> "__warpo_set_fuel"

(module
  (import "env" "print" (func $print (param i32)))

  ;; CODE-LABEL:   <f>:
  ;; SAMPLE-NEXT:   global.get 1
  ;; SAMPLE-NEXT:   global.get 0
  ;; SAMPLE-NEXT:   i64.ge_s
  ;; SAMPLE-NEXT:   if
  ;; ENGINE-NEXT:     i32.const 16777217
  ;; SAMPLE-NEXT:     global.get 1
  ;; SAMPLE-NEXT:     call [[ATENTRY]] <builtin.sample
  ;; SAMPLE-NEXT:     global.set 0
  ;; ENGINE-NEXT:     drop
  ;; SAMPLE-NEXT:   end
  ;; SHADOW-NEXT:   i32.const 16777217
  ;; SHADOW-NEXT:   call 2 <builtin.enterFrame>
  ;; CODE-NEXT:     global.get 1
  ;; CODE-NEXT:     i64.const 4
  ;; CODE-NEXT:     i64.add
  ;; CODE-NEXT:     global.set 1
  ;; LIMIT-NEXT:    global.get 1
  ;; LIMIT-NEXT:    global.get 0
  ;; LIMIT-NEXT:    i64.ge_s
  ;; LIMIT-NEXT:    if
  ;; LIMIT-NEXT:      global.get 1
  ;; LIMIT-NEXT:      call 1 <builtin.outOfFuel>
  ;; LIMIT-NEXT:      global.set 0
  ;; LIMIT-NEXT:    end
  ;; CODE-NEXT:     i32.const 1
  ;; CODE-NEXT:     call {{[0-9]}} <print
  ;; CODE-NEXT:     local.get 0
  ;; CODE-NEXT:     if
  ;; CODE-NEXT:       global.get 1
  ;; CODE-NEXT:       i64.const 1
  ;; CODE-NEXT:       i64.add
  ;; CODE-NEXT:       global.set 1
  ;; CODE-NEXT:       call {{[0-9]}} <nothing>
  ;; CODE-NEXT:       loop
  ;; CODE-NEXT:         global.get 1
  ;; CODE-NEXT:         i64.const 2
  ;; CODE-NEXT:         i64.add
  ;; CODE-NEXT:         global.set 1
  ;; CODE-NEXT:         global.get 1
  ;; CODE-NEXT:         global.get 0
  ;; CODE-NEXT:         i64.ge_s
  ;; CODE-NEXT:         if
  ;; CODE-NEXT:           global.get 1
  ;; CODE-NEXT:           call [[ASK]] <builtin.[[HOST]]>
  ;; CODE-NEXT:           global.set 0
  ;; CODE-NEXT:         end
  ;; CODE-NEXT:         local.get 0
  ;; CODE-NEXT:         br_if 0
  ;; CODE-NEXT:       end
  ;; CODE-NEXT:     end
  ;; SAMPLE-NEXT:   global.get 1
  ;; SAMPLE-NEXT:   global.get 0
  ;; SAMPLE-NEXT:   i64.ge_s
  ;; SAMPLE-NEXT:   if
  ;; SAMPLE-NEXT:     global.get 1
  ;; SAMPLE-NEXT:     call 1 <builtin.sample>
  ;; SAMPLE-NEXT:     global.set 0
  ;; SAMPLE-NEXT:   end
  ;; SHADOW-NEXT:   i32.const 16777217
  ;; SHADOW-NEXT:   call 3 <builtin.leaveFrame>
  ;; CODE-NEXT:     end
  (func $f (export "f") (param i32)
    i32.const 1
    call $print
    local.get 0
    if
      call $nothing
      loop
        local.get 0
        br_if 0
      end
    end)

  ;; There may be no end of calls that cost nothing here: an entry is always checked.
  ;; CODE-LABEL: <nothing>:
  ;; CODE:        i64.ge_s
  (func $nothing)

  ;; In a function around an import the time of the host is found.
  ;; SHADOW-LABEL: <print (traced)>:
  ;; SHADOW:       call 1 <builtin.sample>
  ;; SHADOW:       call 2 <builtin.enterFrame>
  ;; SHADOW-NEXT:  local.get 0
  ;; SHADOW-NEXT:  call 0 <print>
  ;; SHADOW:       call 1 <builtin.sample>
  ;; SHADOW:       call 3 <builtin.leaveFrame>
)
