;; Threads, several memories, and a memory of 64 bits.
;; RUN: wat2wasm --enable-threads --enable-memory64 --enable-multi-memory --debug-names %s -o %t.wasm
;; RUN: warpo-instrument -q %t.wasm -o %t.out.wasm --trace-point-mapping-file %t.map
;; RUN: wasm-validate --enable-threads --enable-memory64 --enable-multi-memory %t.out.wasm
;; RUN: wasm-objdump -d %t.out.wasm | FileCheck %s

(module
  (memory $shared 1 2 shared)
  (memory $large i64 1)
  ;; CHECK-LABEL: <f>:
  ;; CHECK-NEXT:  i32.const 16777216
  ;; CHECK-NEXT:  call 0
  ;; CHECK-NEXT:  i32.const 4
  ;; CHECK-NEXT:  i32.const 7
  ;; CHECK-NEXT:  i32.atomic.store
  ;; CHECK-NEXT:  atomic.fence
  ;; CHECK-NEXT:  i64.const 8
  ;; CHECK-NEXT:  i64.load
  ;; CHECK-NEXT:  drop
  ;; CHECK-NEXT:  memory.size 1
  ;; CHECK-NEXT:  drop
  ;; CHECK-NEXT:  i32.const 4
  ;; CHECK-NEXT:  i32.const 1
  ;; CHECK-NEXT:  i32.atomic.rmw.add
  ;; CHECK-NEXT:  i32.const 4278190080
  ;; CHECK-NEXT:  call 0
  ;; CHECK-NEXT:  end
  (func $f (export "f") (result i32)
    (i32.atomic.store (i32.const 4) (i32.const 7))
    (atomic.fence)
    (drop (i64.load $large offset=16 (i64.const 8)))
    (drop (memory.size $large))
    (i32.atomic.rmw.add (i32.const 4) (i32.const 1))))
