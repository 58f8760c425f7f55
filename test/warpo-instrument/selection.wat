;; Which functions are instrumented: the library and imports of `builtin` are not, unless asked for; globs and a least size choose.
;; RUN: wat2wasm --debug-names %s -o %t.wasm
;; RUN: warpo-instrument --unwind=none %t.wasm -o %t.out.wasm --trace-point-mapping-file - 2>&1 | FileCheck %s --check-prefix=DEFAULT
;; DEFAULT:      16777216 ~lib/host
;; DEFAULT-NEXT: 16777217 app/small
;; DEFAULT-NEXT: 16777218 app/large
;; DEFAULT-NEXT: warpo-instrument: instrumented 2 functions and 1 imported function: 2 exits, 0 calls and 0 references of imported functions
;; DEFAULT-NEXT: warpo-instrument: left out 1 function imported from module builtin
;; DEFAULT-NEXT: warpo-instrument: left out 1 function of AssemblyScript's library and compiler (--all instruments them)
;; DEFAULT-NEXT: warpo-instrument: module id 0x{{[0-9a-f]+}}, {{[0-9]+}} bytes became {{[0-9]+}} (+{{[0-9.]+}} %)
;; DEFAULT-NOT:  {{.}}

;; RUN: warpo-instrument --unwind=none -q --all %t.wasm -o %t.out.wasm --trace-point-mapping-file - | FileCheck %s --check-prefix=ALL
;; ALL:      16777216 ~lib/host
;; ALL-NEXT: 16777217 app/small
;; ALL-NEXT: 16777218 ~lib/array
;; ALL-NEXT: 16777219 app/large
;; ALL-NOT:  {{.}}

;; A glob that names the library takes it.
;; RUN: warpo-instrument --unwind=none --include='~lib/*' --include='app/large' %t.wasm -o %t.out.wasm \
;; RUN:   --trace-point-mapping-file - 2>&1 | FileCheck %s --check-prefix=INCLUDE
;; INCLUDE:      16777216 ~lib/host
;; INCLUDE-NEXT: 16777217 ~lib/array
;; INCLUDE-NEXT: 16777218 app/large
;; INCLUDE-NEXT: warpo-instrument: instrumented
;; INCLUDE:      warpo-instrument: left out 1 function that no --include matches

;; RUN: warpo-instrument --unwind=none --exclude='app/*' --all %t.wasm -o %t.out.wasm --trace-point-mapping-file - 2>&1 \
;; RUN:   | FileCheck %s --check-prefix=EXCLUDE
;; EXCLUDE:      16777216 ~lib/host
;; EXCLUDE-NEXT: 16777217 ~lib/array
;; EXCLUDE-NEXT: warpo-instrument: instrumented
;; EXCLUDE:      warpo-instrument: left out 2 functions that --exclude matches

;; RUN: warpo-instrument --unwind=none --min-instructions=4 %t.wasm -o %t.out.wasm --trace-point-mapping-file - 2>&1 \
;; RUN:   | FileCheck %s --check-prefix=SIZE
;; SIZE:      16777216 ~lib/host
;; SIZE-NEXT: 16777217 app/large
;; SIZE-NEXT: warpo-instrument: instrumented
;; SIZE:      warpo-instrument: left out 1 function with fewer instructions than --min-instructions

;; RUN: not warpo-instrument --unwind=none --include='[' %t.wasm -o %t.out.wasm --trace-point-mapping-file - 2>&1 \
;; RUN:   | FileCheck %s --check-prefix=GLOB
;; GLOB: warpo-instrument: error: {{.*}}--include

(module
  (import "env" "host" (func $~lib/host))
  (import "builtin" "other" (func $other))
  (func $app/small
    nop
    nop)
  (func $~lib/array
    nop)
  (func $app/large
    nop
    nop
    nop))
