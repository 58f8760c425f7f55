;; Custom sections: what is unknown stays in place byte for byte, what would not be true of the new code goes, the module says what it was made of.
;; RUN: wat2wasm %s -o %t.wasm
;; RUN: %python %S/Inputs/add-section.py %t.wasm %t.wasm 0 first 01
;; RUN: %python %S/Inputs/add-section.py %t.wasm %t.wasm 3 unknown 010561ff00
;; RUN: %python %S/Inputs/add-section.py %t.wasm %t.wasm -1 .debug_info 01
;; RUN: %python %S/Inputs/add-section.py %t.wasm %t.wasm -1 build_id 02abcd
;; RUN: %python %S/Inputs/add-section.py %t.wasm %t.wasm -1 sourceMappingURL 0161
;; RUN: warpo-instrument --module-id=42 %t.wasm -o %t.out.wasm --trace-point-mapping-file %t.map 2>&1 \
;; RUN:   | FileCheck %s --check-prefix=SUMMARY
;; RUN: wasm-validate %t.out.wasm
;; RUN: wasm-objdump -h %t.out.wasm | FileCheck %s --check-prefix=ORDER
;; RUN: wasm-objdump -s -j unknown %t.out.wasm | FileCheck %s --check-prefix=KEPT
;; RUN: wasm-objdump -s -j warpo.module %t.out.wasm | FileCheck %s --check-prefix=IDENTITY

;; SUMMARY: dropped what would not be true of the new code: section .debug_info, build_id, sourceMappingURL

;; ORDER:      Custom {{.*}} "first"
;; ORDER-NEXT: Type
;; ORDER-NEXT: Import
;; ORDER-NEXT: Function
;; ORDER-NEXT: Custom {{.*}} "unknown"
;; ORDER-NEXT: Code
;; ORDER-NEXT: Custom {{.*}} "warpo.module"
;; ORDER-NOT:  Custom

;; KEPT: 0105 61ff 00

;; Version 1, module 42, 32 bytes of hash, 2 bytes of build identifier.
;; IDENTITY: 77 6172 706f 2e6d 6f64 756c 65

(module
  (func))
