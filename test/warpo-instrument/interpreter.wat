;; The calls of a program with every way out of a function are those that wabt's interpreter makes.
;; REQUIRES: node, wat2wasm
;; RUN: wat2wasm --enable-all --debug-names %s -o %t.wasm
;; RUN: warpo-instrument -q %t.wasm -o %t.out.wasm --trace-point-mapping-file %t.map
;; RUN: %node %S/Inputs/interpreter-calls.mjs %t.wasm %t.out.wasm | FileCheck %s
;; CHECK: same: 14 functions, 153 events

(module
  (type $unary (func (param i32) (result i32)))
  (import "host" "print" (func $print (param i32)))
  (tag $stop (param i32))
  (table funcref (elem $odd $fib $even))

  (func $fib (type $unary)
    (if (result i32) (i32.lt_s (local.get 0) (i32.const 2))
      (then (local.get 0))
      (else (i32.add (call $fib (i32.sub (local.get 0) (i32.const 1)))
                     (call $fib (i32.sub (local.get 0) (i32.const 2)))))))

  ;; Branches to the function's own label, of each kind.
  (func $early (type $unary)
    (loop $again
      (br_if 1 (local.get 0) (i32.gt_s (local.get 0) (i32.const 4)))
      (drop)
      (local.set 0 (i32.add (local.get 0) (i32.const 1)))
      (call $print (local.get 0))
      (br $again))
    (unreachable))
  (func $table (type $unary)
    (block $one (result i32)
      (block $two (result i32) (br_table $one $two 2 (i32.const 5) (local.get 0)))
      (return (call $fib)))
    (drop)
    (i32.const 1))
  (func $two (param i32) (result i32 i32)
    (br 0 (local.get 0) (call $fib (local.get 0))))

  ;; Tail calls; the interpreter gets direct ones wrong in a module that imports functions.
  (func $even (type $unary)
    (if (i32.eqz (local.get 0)) (then (return (i32.const 1))))
    (return_call_indirect (type $unary) (i32.sub (local.get 0) (i32.const 1)) (i32.const 0)))
  (func $odd (type $unary)
    (if (i32.eqz (local.get 0)) (then (return (i32.const 0))))
    (return_call_indirect (type $unary) (i32.sub (local.get 0) (i32.const 1)) (i32.const 2)))

  ;; Exceptions through several functions.
  (func $thrower (type $unary)
    (if (local.get 0) (then (throw $stop (local.get 0))))
    (i32.const 3))
  (func $passing (type $unary)
    (i32.add (call $thrower (local.get 0)) (call $fib (i32.const 2))))
  (func $catching (type $unary)
    (try (result i32)
      (do (call $passing (local.get 0)))
      (catch $stop (drop) (call $early (i32.const 3)))))

  (func (export "calls") (result i32)
    (i32.add (call_indirect (type $unary) (i32.const 7) (i32.const 1)) (call $even (i32.const 6))))
  (func (export "branches") (result i32)
    (drop (call $table (i32.const 9)))
    (i32.mul (call $two (i32.const 3))))
  (func (export "exceptions") (result i32)
    (i32.add (call $catching (i32.const 0)) (call $catching (i32.const 1))))
  (func (export "trap") (result i32)
    (i32.div_s (call $fib (i32.const 3)) (call $fib (i32.const 0)))))
