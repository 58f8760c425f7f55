;; One sample with every kind of index: the functions of the list come first, all that names a function follows.
;; RUN: wat2wasm --enable-tail-call --debug-names %s -o %t.wasm
;; RUN: printf 'c\nb\n' > %t.list
;; RUN: warpo-reorder -q %t.wasm --order=%t.list -o %t.out.wasm
;; RUN: wasm-validate --enable-tail-call %t.out.wasm
;; RUN: wasm-objdump -x %t.out.wasm | FileCheck %s
;; RUN: wasm-objdump -s -j Global %t.out.wasm | FileCheck %s --check-prefix=GLOBAL
;; RUN: wasm-objdump -d %t.out.wasm | FileCheck %s --check-prefix=CODE

;; CHECK:      Function[4]:
;; CHECK-NEXT:  - func[1] sig=1 <c>
;; CHECK-NEXT:  - func[2] sig=0 <b>
;; CHECK-NEXT:  - func[3] sig=0 <main>
;; CHECK-NEXT:  - func[4] sig=0 <a>
;; CHECK:      Export[3]:
;; CHECK-NEXT:  - func[0] <log> -> "log"
;; CHECK-NEXT:  - func[3] <main> -> "main"
;; CHECK-NEXT:  - func[1] <c> -> "c"
;; CHECK-NEXT: Start:
;; CHECK-NEXT:  - start function: 2 <b>
;; CHECK:       - elem[0] = func[4] <a>
;; CHECK-NEXT:  - elem[1] = func[2] <b>
;; CHECK-NEXT:  - elem[2] = func[0] <log>

;; One global, of funcref, constant: ref.func 4.
;; GLOBAL: 0170 00d2 040b

;; CODE-LABEL: <c>:
;; CODE:         i32.const 3
;; CODE-LABEL: <b>:
;; CODE:         call 0 <log>
;; CODE-LABEL: <main>:
;; CODE:         call 4 <a>
;; CODE:         call 1 <c>
;; CODE:         ref.func 4
;; CODE:         return_call 2{{$}}
;; CODE-LABEL: <a>:

;; What has no place keeps its order, and putting it back gives the same bytes.
;; RUN: printf 'main\na\nb\nc\n' > %t.back
;; RUN: warpo-reorder -q %t.out.wasm --order=%t.back -o %t.again.wasm
;; RUN: cmp %t.wasm %t.again.wasm

(module
  (import "env" "log" (func $log))
  (table funcref (elem $a $b $log))
  (global funcref (ref.func $a))
  (export "log" (func $log))
  (export "main" (func $main))
  (export "c" (func $c))
  (func $main
    (call $a)
    (drop (call $c))
    (drop (ref.func $a))
    (return_call $b))
  (func $a)
  (func $b (call $log))
  (func $c (result i32) (local $unused i32) (i32.const 3))
  (start $b))
