;; Stack switching: continuations that suspend and are resumed, bound, thrown into; what runs on them is recorded.
;; REQUIRES: npm, new-node, slow
;; RUN: %new-node --experimental-wasm-wasmfx %S/Inputs/prove.mjs %s %t | FileCheck %s --match-full-lines
;; CHECK:      all = 6: all(collect(generator(give give give)))
;; CHECK-NEXT: bound = 4: bound(collect(once))
;; CHECK-NEXT: stopped = 2: stopped(generator(give))
;; CHECK-NOT:  {{.}}

(module
  (type $f (func))
  (type $c (cont $f))
  (type $f1 (func (param i32)))
  (type $c1 (cont $f1))
  (tag $yield (param i32))
  (tag $stop)
  (global $sum (mut i32) (i32.const 0))

  (func $generator
    (call $give (i32.const 1))
    (call $give (i32.const 2))
    (call $give (i32.const 3)))
  (func $give (param i32) (suspend $yield (local.get 0)))
  (func $once (param i32) (suspend $yield (local.get 0)))

  (func $collect (param $k (ref null $c)) (result i32)
    (local $value i32)
    (global.set $sum (i32.const 0))
    (block $done
      (loop $next
        (block $yielded (result i32 (ref $c))
          (resume $c (on $yield $yielded) (local.get $k))
          (br $done))
        (local.set $k)
        (local.set $value)
        (global.set $sum (i32.add (global.get $sum) (local.get $value)))
        (br $next)))
    (global.get $sum))

  (func $all (export "all") (result i32)
    (call $collect (cont.new $c (ref.func $generator))))
  (func $bound (export "bound") (result i32)
    (call $collect (cont.bind $c1 $c (i32.const 4) (cont.new $c1 (ref.func $once)))))
  (func $stopped (export "stopped") (result i32)
    (local $k (ref null $c))
    (block $yielded (result i32 (ref $c))
      (resume $c (on $yield $yielded) (cont.new $c (ref.func $generator)))
      (return (i32.const 0)))
    (local.set $k)
    (drop)
    (block $caught
      (try_table (catch $stop $caught)
        (resume_throw $c $stop (local.get $k)))
      (return (i32.const 1)))
    (i32.const 2))
  (elem declare func $generator $once))
