;; Calls of an imported function and references to it go through one function that records them; exports stay the import itself.
;; REQUIRES: node
;; RUN: wat2wasm --debug-names %s -o %t.wasm
;; RUN: warpo-instrument --unwind=none %t.wasm -o %t.out.wasm --trace-point-mapping-file %t.map 2>&1 \
;; RUN:   | FileCheck %s --check-prefix=SUMMARY
;; RUN: wasm-validate %t.out.wasm
;; RUN: FileCheck %s --check-prefix=MAP --match-full-lines --input-file=%t.map
;; RUN: wasm-objdump -x %t.out.wasm | FileCheck %s --check-prefix=SECTIONS
;; RUN: wasm2wat %t.out.wasm | FileCheck %s --check-prefix=GLOBAL
;; RUN: wasm-objdump -d %t.out.wasm | FileCheck %s --check-prefix=CODE
;; RUN: %node %S/Inputs/run.mjs %t.out.wasm all | FileCheck %s --check-prefix=SEEN --match-full-lines

;; SUMMARY: warpo-instrument: instrumented 1 function and 3 imported functions: 1 exit, 2 calls and 3 references of imported functions
;; SUMMARY: warpo-instrument: left out 1 function imported from module builtin

;; Imports first, those of `builtin` not at all.
;; MAP:      16777216 begin
;; MAP-NEXT: 16777217 add
;; MAP-NEXT: 16777218 ~lib/host
;; MAP-NEXT: 16777219 all
;; MAP-NOT:  {{.}}

(module
  (import "env" "begin" (func $begin))
  (import "env" "add" (func $add (param i32 f64) (result i32)))
  (import "builtin" "other" (func $other))
  (import "env" "host" (func $~lib/host))
  (import "env" "memory" (memory 1))
  (export "add" (func $add))
  (export "host" (func $~lib/host))
  (table 2 funcref)
  ;; GLOBAL: (global $reference (mut funcref) (ref.func $add__traced_))
  (global $reference (mut funcref) (ref.func $add))
  (elem (i32.const 0) $add)
  (start $begin)
  (func $all (export "all")
    (drop (call $add (i32.const 1) (f64.const 2.5)))
    (drop (call_indirect (param i32 f64) (result i32) (i32.const 3) (f64.const 4.5) (i32.const 0)))
    (call $other)
    (table.set 0 (i32.const 1) (ref.func $~lib/host))
    (call_indirect (i32.const 1))))

;; The import of the trace point is the last of the functions, so that only defined ones move; what is
;; added stands behind them.
;; SECTIONS-DAG: - func[0] sig=0 <begin> <- env.begin
;; SECTIONS-DAG: - func[3] sig=0 <~lib/host> <- env.host
;; SECTIONS-DAG: - func[4] sig={{.*}} <builtin.tracePoint> <- builtin.tracePoint
;; SECTIONS:     - func[5] sig=0 <all>
;; SECTIONS-NEXT: - func[6] sig=0 <begin (traced)>
;; SECTIONS-NEXT: - func[7] sig=1 <add (traced)>
;; SECTIONS-NEXT: - func[8] sig=0 <~lib/host (traced)>
;; SECTIONS:     Export[3]:
;; SECTIONS-NEXT: - func[1] <add> -> "add"
;; SECTIONS-NEXT: - func[3] <~lib/host> -> "host"
;; SECTIONS-NEXT: - func[5] <all> -> "all"
;; SECTIONS:     - start function: 6 <begin (traced)>
;; SECTIONS:     Elem[2]:
;; SECTIONS:     - elem[0] = func[7] <add (traced)>
;; What code refers to has to be declared; the export no longer does that.
;; SECTIONS:     - segment[1] flags=3 table=0 count=1
;; SECTIONS-NEXT: - elem[0] = func[8] <~lib/host (traced)>

;; CODE-LABEL: <add (traced)>:
;; CODE-NEXT:  i32.const 16777217
;; CODE-NEXT:  call 4
;; CODE-NEXT:  local.get 0
;; CODE-NEXT:  local.get 1
;; CODE-NEXT:  call 1 <add>
;; CODE-NEXT:  i32.const 4278190079
;; CODE-NEXT:  call 4
;; CODE-NEXT:  end

;; SEEN:      trace +0
;; SEEN-NEXT: host env.begin()
;; SEEN-NEXT: trace -0
;; SEEN-NEXT: trace +3
;; SEEN-NEXT: trace +1
;; SEEN-NEXT: host env.add(1, 2.5)
;; SEEN-NEXT: trace -1
;; SEEN-NEXT: trace +1
;; SEEN-NEXT: host env.add(3, 4.5)
;; SEEN-NEXT: trace -1
;; SEEN-NEXT: host builtin.other()
;; SEEN-NEXT: trace +2
;; SEEN-NEXT: host env.host()
;; SEEN-NEXT: trace -2
;; SEEN-NEXT: trace -3
;; SEEN-NEXT: result undefined
;; SEEN-NOT:  {{.}}
