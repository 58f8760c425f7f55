;; Shared-everything threads: shared structures and arrays, and atomic access to them.
;; REQUIRES: npm, new-node
;; RUN: %new-node --experimental-wasm-shared %S/Inputs/prove.mjs %s %t | FileCheck %s --match-full-lines
;; CHECK:      not run, since V8 {{[0-9]+}} does not know it: {{.+}}
;; CHECK-NOT:  {{.}}

(module
  (type $counter (shared (struct (field (mut i32)))))
  (type $words (shared (array (mut i32))))
  (func $make (result (ref $counter)) (struct.new $counter (i32.const 1)))
  (func $main (export "main") (result i32)
    (local $c (ref null $counter))
    (local $w (ref null $words))
    (local.set $c (call $make))
    (local.set $w (array.new $words (i32.const 4) (i32.const 3)))
    (drop (struct.atomic.rmw.add acqrel acqrel $counter 0 (local.get $c) (i32.const 2)))
    (drop (array.atomic.rmw.xchg $words (local.get $w) (i32.const 0) (i32.const 5)))
    (i32.add (struct.atomic.get $counter 0 (local.get $c))
             (array.atomic.get $words (local.get $w) (i32.const 0)))))
