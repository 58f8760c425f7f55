;; call-kinds: references go to functions that mark the call; calls, and functions that nothing refers to, stay as they are.
;; REQUIRES: node, wat2wasm
;; RUN: rm -rf %t && split-file %s %t && cd %t
;; RUN: wat2wasm --debug-names app.wat -o app.wasm
;; RUN: warpo-instrument --unwind=none --instrumentation=trace,call-kinds app.wasm -o out.wasm --trace-point-mapping-file map 2>&1 | FileCheck app.wat --check-prefix=SUMMARY
;; RUN: wasm-validate out.wasm
;; RUN: wasm-objdump -x out.wasm > out.txt && wasm-objdump -d out.wasm >> out.txt && FileCheck app.wat --input-file=out.txt
;; RUN: %node run.mjs app.wasm > plain.txt && %node run.mjs out.wasm | diff plain.txt -
;; RUN: FileCheck app.wat --check-prefix=SAME --input-file=plain.txt
;; RUN: warpo-instrument -q --unwind=none --instrumentation=trace,call-kinds --no-import-thunks app.wasm -o out.wasm --trace-point-mapping-file map
;; RUN: wasm-validate out.wasm && %node run.mjs out.wasm | diff plain.txt -
;; RUN: wasm-objdump -d out.wasm | FileCheck app.wat --check-prefix=AROUND
;; RUN: warpo-instrument -q --unwind=none --instrumentation=trace,call-kinds --exclude=many --exclude=f app.wasm -o out.wasm --trace-point-mapping-file map
;; RUN: wasm-validate out.wasm && wasm-objdump -d out.wasm | FileCheck app.wat --check-prefix=EXCLUDED

;--- app.wat
;; SUMMARY: 5 functions that references or the host may reach: each call records how

;; The exports of an import stay the import itself. Added functions come last.
;; CHECK:     Elem[
;; CHECK:      - elem[0] = func[{{[0-9]+}}] <f (by reference)>
;; CHECK-NEXT: - elem[1] = func[{{[0-9]+}}] <many (by reference)>
;; CHECK-NEXT: - elem[2] = func[{{[0-9]+}}] <print (by reference)>
;; CHECK-NEXT: - elem[3] = func[{{[0-9]+}}] <f (by reference)>
(module $app
  (type $t (func (param i32) (result i32)))
  (import "host" "print" (func $print (type $t)))
  (table (export "table") 4 funcref)
  (elem (i32.const 0) $f $many $print $f)
  (global $global funcref (ref.func $inGlobal))
  (export "g" (func $f))
  (export "print" (func $print))

  ;; CHECK-LABEL: <f>:
  ;; CHECK-NEXT:   local[{{[0-9.]+}}] type=i32
  ;; CHECK-NEXT:   i32.const 16777217
  ;; CHECK-NEXT:   global.get 1
  ;; CHECK-NEXT:   i32.or
  ;; CHECK-NEXT:   local.set 1
  ;; CHECK-NEXT:   i32.const 0
  ;; CHECK-NEXT:   global.set 1
  ;; CHECK-NEXT:   local.get 1
  ;; CHECK-NEXT:   call 1 <builtin.tracePoint>
  ;; CHECK-NEXT:   local.get 0
  ;; CHECK-NEXT:   call [[NUMBER:[0-9]+]] <print (traced)>
  ;; CHECK-NEXT:   i32.const 0
  ;; CHECK-NEXT:   local.get 1
  ;; CHECK-NEXT:   i32.sub
  ;; CHECK-NEXT:   call 1 <builtin.tracePoint>
  ;; CHECK-NEXT:   end
  (func $f (export "f") (type $t)
    (call $print (local.get 0)))
  ;; The variable comes behind those that there are.
  ;; CHECK-LABEL: <many>:
  ;; CHECK:        local[{{[0-9.]+}}] type=i64
  ;; CHECK-NEXT:   local[{{[0-9.]+}}] type=f32
  ;; CHECK-NEXT:   local[{{[0-9.]+}}] type=i32
  ;; CHECK:        local.set 4
  (func $many (param i32) (result i32) (local i64 i64 f32)
    (return (call $onlyDirect (local.get 0))))
  ;; CHECK-LABEL: <onlyDirect>:
  ;; CHECK-NEXT:   i32.const 16777219
  ;; CHECK-NEXT:   call 1 <builtin.tracePoint>
  (func $onlyDirect (param i32) (result i32)
    (i32.add (local.get 0) (i32.const 1)))
  (func $inGlobal)

  ;; An imported one has its mark, and tells references of it too.
  ;; CHECK-LABEL: <print (traced)>:
  ;; CHECK:        i32.const 18874368
  ;; CHECK-NEXT:   global.get 1
  ;; CHECK-LABEL: <print (by reference)>:
  ;; CHECK-NEXT:   i32.const 1048576
  ;; CHECK-NEXT:   global.set 1
  ;; CHECK-NEXT:   local.get 0
  ;; CHECK-NEXT:   call {{[0-9]+}} <print (traced)>
  ;; CHECK-NEXT:   end
  ;; CHECK-LABEL: <f (by reference)>:
  ;; CHECK-NEXT:   i32.const 1048576
  ;; CHECK-NEXT:   global.set 1
  ;; CHECK-NEXT:   local.get 0
  ;; CHECK-NEXT:   call {{[0-9]+}} <f>
  ;; CHECK-NEXT:   end
  (func $run (export "run") (param i32) (result i32)
    (call_indirect (type $t) (i32.const 20) (local.get 0))))

;; AROUND:     i32.const 18874368
;; AROUND-NEXT: call {{[0-9]+}} <builtin.tracePoint>
;; AROUND-NEXT: call 0 <print>
;; AROUND-NEXT: i32.const 4276092928
;; AROUND-NEXT: call {{[0-9]+}} <builtin.tracePoint>
;; AROUND-NOT: <print (by reference)>

;; EXCLUDED-NOT: <{{f|many}} (by reference)>

;; All references to a function are the same function to JavaScript.
;; SAME: true true false
;; SAME: 22 21
;--- run.mjs
import { readFileSync } from "node:fs";
const builtin = { tracePoint() {} };
const host = { print: (n) => n + 2 };
const module = new WebAssembly.Module(readFileSync(process.argv[2]));
const { exports } = new WebAssembly.Instance(module, { host, builtin });
const { f, g, table, run } = exports;
console.log(f === g, f === table.get(0) && f === table.get(3), f === table.get(1));
console.log(run(0), run(1));
