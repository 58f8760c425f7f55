;; Shared structures and arrays: their types, atomic accesses in two orders, waiting.
;; REQUIRES: npm, new-node
;; RUN: %new-node --experimental-wasm-acquire-release --experimental-wasm-shared %S/Inputs/prove.mjs %s %t | FileCheck %s --match-full-lines
;; CHECK:      not run, since V8 {{[0-9]+}} does not know it: {{.+}}
;; CHECK-NOT:  {{.}}

(module
  (type $cell (shared (struct (field (mut i32)))))
  (type $cells (shared (array (mut i32))))
  (func $add (param $cell (ref $cell)) (result i32)
    (drop (struct.atomic.rmw.add acqrel acqrel $cell 0 (local.get $cell) (i32.const 3)))
    (drop (struct.atomic.rmw.cmpxchg $cell 0 (local.get $cell) (i32.const 3) (i32.const 4)))
    (struct.atomic.get acqrel $cell 0 (local.get $cell)))
  (func $main (export "main") (result i32)
    (local $cell (ref $cell))
    (local.set $cell (struct.new $cell (i32.const 1)))
    (struct.atomic.set $cell 0 (local.get $cell) (i32.const 2))
    (drop (ref.i31_shared (i32.const 1)))
    (call $add (local.get $cell)))
  (func $array (export "array") (result i32)
    (local $cells (ref $cells))
    (local.set $cells (array.new_default $cells (i32.const 2)))
    (array.atomic.set $cells (local.get $cells) (i32.const 1) (i32.const 3))
    (drop (array.atomic.rmw.xor $cells (local.get $cells) (i32.const 1) (i32.const 1)))
    (drop (array.atomic.rmw.cmpxchg $cells (local.get $cells) (i32.const 1) (i32.const 3) (i32.const 4)))
    (array.atomic.get $cells (local.get $cells) (i32.const 1)))
  (func $wait (param $cell (ref $cell)) (result i32)
    (i32.add (waitqueue.notify (waitqueue.new) (i32.const 1))
      (struct.wait $cell 0 (local.get $cell) (waitqueue.new) (i32.const 1) (i64.const 0)))))
