;; Garbage collection: structures, arrays, i31, every cast, recursive and open types, br_on_cast and br_on_cast_fail.
;; REQUIRES: npm, new-node
;; RUN: %new-node %S/Inputs/prove.mjs %s %t | FileCheck %s --match-full-lines
;; CHECK:      structs = 42: structs(newLeaf sumOf sumOf(sumOf sumOf(sumOf sumOf)))
;; CHECK-NEXT: arrays = 30: arrays
;; CHECK-NEXT: casts = 111: casts(kind kind kind)
;; CHECK-NEXT: failing = throws RuntimeError: failing(newLeaf!)
;; CHECK-NEXT: extern = 1: extern
;; CHECK-NEXT: methods = 8: methods(newLeaf right left)
;; CHECK-NOT:  {{.}}

(module
  (rec
    (type $tree (sub (struct (field $value (mut i32)))))
    (type $fork (sub final $tree (struct (field $value (mut i32)) (field $left (ref null $tree)) (field $right (ref null $tree)))))
    (type $method (sub (func (param (ref null $tree)) (result i32)))))
  (type $override (sub final $method (func (param (ref null $tree)) (result i32))))
  (type $bytes (array (mut i8)))
  (type $words (array (mut i32)))
  (type $methods (array (mut (ref null $method))))
  (elem $all (ref $method) (ref.func $left) (ref.func $right))
  (data $text "\0a\14\1e")

  (func $newLeaf (param i32) (result (ref $tree)) (struct.new $tree (local.get 0)))

  (func $sumOf (param $node (ref null $tree)) (result i32)
    (local $fork (ref null $fork))
    (if (ref.is_null (local.get $node)) (then (return (i32.const 0))))
    (drop (block $leaf (result (ref null $tree))
      (local.set $fork (br_on_cast_fail $leaf (ref null $tree) (ref $fork) (local.get $node)))
      (return (i32.add (struct.get $fork $value (local.get $fork))
        (i32.add (call $sumOf (struct.get $fork $left (local.get $fork)))
                 (call $sumOf (struct.get $fork $right (local.get $fork))))))))
    (struct.get $tree $value (local.get $node)))

  (func $structs (export "structs") (result i32)
    (local $leaf (ref null $tree))
    (local.set $leaf (call $newLeaf (i32.const 20)))
    (struct.set $tree $value (local.get $leaf) (i32.const 19))
    (i32.add (call $sumOf (local.get $leaf))
      (call $sumOf (struct.new $fork (i32.const 4) (local.get $leaf) (struct.new_default $fork)))))

  (func $arrays (export "arrays") (result i32)
    (local $a (ref $bytes)) (local $w (ref $words)) (local $m (ref $methods))
    (local.set $a (array.new_data $bytes $text (i32.const 0) (i32.const 3)))
    (array.init_data $bytes $text (local.get $a) (i32.const 1) (i32.const 1) (i32.const 2))
    (array.copy $bytes $bytes (local.get $a) (i32.const 0) (local.get $a) (i32.const 1) (i32.const 1))
    (local.set $w (array.new_fixed $words 3 (i32.const 1) (i32.const 2) (i32.const 3)))
    (array.fill $words (local.get $w) (i32.const 0) (i32.const 7) (i32.const 1))
    (array.set $words (array.new_default $words (i32.const 2)) (i32.const 1) (i32.const 4))
    (local.set $m (array.new_elem $methods $all (i32.const 0) (i32.const 2)))
    (array.init_elem $methods $all (local.get $m) (i32.const 0) (i32.const 1) (i32.const 1))
    ;; 20 + 7 + 3
    (i32.add (array.get_u $bytes (local.get $a) (i32.const 0))
      (i32.add (array.get $words (local.get $w) (i32.const 0)) (array.len (local.get $w)))))

  ;; 100 for a number, 10 for a fork, 1 for what else there is.
  (func $kind (param $any anyref) (result i32)
    (drop (block $number (result i31ref)
      (drop (br_on_cast $number anyref (ref i31) (local.get $any)))
      (if (ref.test (ref null $fork) (local.get $any)) (then (return (i32.const 10))))
      (return (i32.const 1))))
    (i32.const 100))
  (func $casts (export "casts") (result i32)
    (i32.add (call $kind (ref.i31 (i32.const 5)))
      (i32.add (call $kind (struct.new_default $fork)) (call $kind (struct.new_default $tree)))))

  (func $failing (export "failing") (result i32)
    (struct.get $fork $value (ref.cast (ref $fork) (call $newLeaf (i32.const 1)))))

  (func $extern (export "extern") (result i32)
    (local $any anyref)
    (local.set $any (any.convert_extern (extern.convert_any (ref.i31 (i32.const -1)))))
    (i32.and (i32.eq (i31.get_s (ref.cast i31ref (local.get $any))) (i32.const -1))
      (ref.eq (ref.i31 (i32.const -1)) (ref.cast eqref (local.get $any)))))

  ;; References to functions of a type that has subtypes, told apart by a cast.
  (func $left (type $method) (i32.const 1))
  (func $right (type $override) (struct.get $tree $value (local.get 0)))
  (func $methods (export "methods") (result i32)
    (local $leaf (ref null $tree)) (local $m (ref $methods))
    (local.set $leaf (call $newLeaf (i32.const 5)))
    (local.set $m (array.new_elem $methods $all (i32.const 0) (i32.const 2)))
    (i32.add
      (i32.add
        (call_ref $override (local.get $leaf)
          (ref.cast (ref $override) (array.get $methods (local.get $m) (i32.const 1))))
        (call_ref $method (local.get $leaf) (array.get $methods (local.get $m) (i32.const 0))))
      (i32.shl (i32.eqz (ref.test (ref $override) (array.get $methods (local.get $m) (i32.const 0))))
        (i32.const 1)))))
