;; Instrumentation order: at each entry a test of a bit, which only the first execution finds unset; then it is set, and logged as a call that ends at once.
;; RUN: wat2wasm --debug-names %s -o %t.wasm
;; RUN: warpo-instrument -q --instrumentation=order %t.wasm -o %t.out.wasm --trace-point-mapping-file %t.map
;; RUN: wasm-validate %t.out.wasm
;; RUN: wasm-objdump -d %t.out.wasm | FileCheck %s
;; RUN: wasm-objdump -x -j Global %t.out.wasm | FileCheck %s --check-prefix=GLOBALS

;; 70 functions: 64 bits in one global, 6 in the next.
;; GLOBALS:      Global[2]:
;; GLOBALS-NEXT:  - global[0] i64 mutable=1 - init i64=0
;; GLOBALS-NEXT:  - global[1] i64 mutable=1 - init i64=0

;; CHECK-LABEL: <second>:
;; CHECK-NEXT:  global.get 0
;; CHECK-NEXT:  i64.const 2
;; CHECK-NEXT:  i64.and
;; CHECK-NEXT:  i64.eqz
;; CHECK-NEXT:  if
;; CHECK-NEXT:    global.get 0
;; CHECK-NEXT:    i64.const 2
;; CHECK-NEXT:    i64.or
;; CHECK-NEXT:    global.set 0
;; CHECK-NEXT:    i32.const 16777217
;; CHECK-NEXT:    call 0 <builtin.tracePoint>
;; CHECK-NEXT:    i32.const 4278190079
;; CHECK-NEXT:    call 0 <builtin.tracePoint>
;; CHECK-NEXT:  end
;; CHECK-NEXT:  nop
;; CHECK-NEXT:  end
;; CHECK-LABEL: <last>:
;; CHECK-NEXT:  global.get 1
;; CHECK-NEXT:  i64.const 32

;; Any engine runs it, and any reader of records has the order: each function once, in the order of first executions.
;; RUN: warpo-run -q --engine=interp --record=%t.rec %t.out.wasm
;; RUN: warpo-record-dump --mapping=%t.map %t.rec | FileCheck %s --check-prefix=RECORD
;; RECORD:      -> main
;; RECORD-NEXT: <- main
;; RECORD-NEXT: -> last
;; RECORD-NEXT: <- last
;; RECORD-NEXT: -> second
;; RECORD-NEXT: <- second
;; RECORD-NOT:  {{.}}

;; With fuel the trace points tell that too.
;; RUN: warpo-instrument -q --instrumentation=order,fuel %t.wasm -o %t.fuel.wasm --trace-point-mapping-file %t.map
;; RUN: wasm-validate %t.fuel.wasm
;; RUN: wasm-objdump -d %t.fuel.wasm | FileCheck %s --check-prefix=FUEL
;; FUEL: call 0 <builtin.tracePointFuel>

;; A trace holds the order already.
;; RUN: not warpo-instrument --instrumentation=trace,order %t.wasm -o %t.no.wasm --trace-point-mapping-file %t.map2 2>&1 \
;; RUN:   | FileCheck %s --check-prefix=BOTH
;; BOTH: warpo-instrument: error: 'trace' and 'order' exclude each other: a record of one holds what the other would log
;; RUN: test ! -e %t.no.wasm

(module
  (func $main (export "_start") (call $last) (call $second) (call $last) (call $second))
  (func $second nop)
  (func) (func) (func) (func) (func) (func) (func) (func) (func) (func) (func) (func) (func) (func)
  (func) (func) (func) (func) (func) (func) (func) (func) (func) (func) (func) (func) (func) (func)
  (func) (func) (func) (func) (func) (func) (func) (func) (func) (func) (func) (func) (func) (func)
  (func) (func) (func) (func) (func) (func) (func) (func) (func) (func) (func) (func) (func) (func)
  (func) (func) (func) (func) (func) (func) (func) (func) (func) (func) (func)
  (func $last))
