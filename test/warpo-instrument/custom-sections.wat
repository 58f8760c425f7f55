;; Custom sections: what is unknown stays in place byte for byte, what would not be true of the new code goes, the module says what it was made of.
;; RUN: wat2wasm %s -o %t.wasm
;; RUN: %python %S/Inputs/add-section.py %t.wasm %t.wasm 0 first 01
;; RUN: %python %S/Inputs/add-section.py %t.wasm %t.wasm 3 unknown 010561ff00
;; RUN: %python %S/Inputs/add-section.py %t.wasm %t.wasm -1 .debug_info 01
;; RUN: %python %S/Inputs/add-section.py %t.wasm %t.wasm -1 build_id 02abcd
;; RUN: %python %S/Inputs/add-section.py %t.wasm %t.wasm -1 external_debug_info 0161
;; RUN: %python %S/Inputs/add-section.py %t.wasm %t.wasm -1 sourceMappingURL 0161
;; RUN: warpo-instrument --module-id=42 %t.wasm -o %t.out.wasm --trace-point-mapping-file %t.map 2>&1 \
;; RUN:   | FileCheck %s --check-prefix=SUMMARY
;; RUN: wasm-validate %t.out.wasm
;; RUN: wasm-objdump -h %t.out.wasm | FileCheck %s --check-prefix=ORDER
;; RUN: wasm-objdump -s -j unknown %t.out.wasm | FileCheck %s --check-prefix=KEPT
;; RUN: wasm-objdump -s -j warpo.module %t.out.wasm | FileCheck %s --check-prefix=IDENTITY

;; SUMMARY: dropped what describes the old code: section .debug_info, external_debug_info, sourceMappingURL

;; ORDER:      Custom {{.*}} "first"
;; ORDER-NEXT: Type
;; ORDER-NEXT: Import
;; ORDER-NEXT: Function
;; ORDER-NEXT: Custom {{.*}} "unknown"
;; ORDER-NEXT: Code
;; ORDER-NEXT: Custom {{.*}} "build_id"
;; ORDER-NEXT: Custom {{.*}} "name"
;; ORDER-NEXT: Custom {{.*}} "warpo.module"
;; ORDER-NOT:  Custom

;; KEPT: 0105 61ff 00

;; The section ends with the original's identifier: 2 bytes, after the length.
;; IDENTITY: 77 6172 706f 2e6d 6f64 756c 65
;; IDENTITY: 02ab cd

;; The build identifier is another one, the same for the same module.
;; RUN: wasm-objdump -s -j build_id %t.out.wasm > %t.id
;; RUN: FileCheck %s --check-prefix=BUILD-ID --input-file=%t.id
;; BUILD-ID:     : 0862 7569 6c64 5f69 6402
;; BUILD-ID-NOT: abcd
;; RUN: warpo-instrument -q --module-id=42 %t.wasm -o %t.out.wasm --trace-point-mapping-file %t.map
;; RUN: wasm-objdump -s -j build_id %t.out.wasm | diff %t.id -
;; RUN: warpo-instrument -q --module-id=43 %t.wasm -o %t.out.wasm --trace-point-mapping-file %t.map
;; RUN: wasm-objdump -s -j build_id %t.out.wasm | not diff %t.id - > /dev/null

;; Debug information stays where somebody wants it.
;; RUN: warpo-instrument --keep-debug %t.wasm -o %t.out.wasm --trace-point-mapping-file %t.map 2>&1 \
;; RUN:   | FileCheck %s --check-prefix=DEBUG
;; DEBUG: dropped {{.*}}: section sourceMappingURL
;; DEBUG: kept although it describes the old code: section .debug_info, external_debug_info
;; RUN: wasm-objdump -h %t.out.wasm | FileCheck %s --check-prefix=DEBUG-ORDER
;; DEBUG-ORDER:      Custom {{.*}} ".debug_info"
;; DEBUG-ORDER-NEXT: Custom {{.*}} "build_id"
;; DEBUG-ORDER-NEXT: Custom {{.*}} "external_debug_info"
;; DEBUG-ORDER-NEXT: Custom {{.*}} "name"
;; DEBUG-ORDER-NEXT: Custom {{.*}} "warpo.module"

(module
  (func))
