;; SPDX-License-Identifier: Apache-2.0
;; Counts the primes below a number.
(module
  (func $isPrime (param $n i32) (result i32) (local $i i32)
    (local.set $i (i32.const 2))
    (loop $next (result i32)
      (if (i32.gt_u (i32.mul (local.get $i) (local.get $i)) (local.get $n))
        (then (return (i32.const 1))))
      (if (i32.eqz (i32.rem_u (local.get $n) (local.get $i)))
        (then (return (i32.const 0))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $next)))
  (func (export "primes") (param $below i32) (result i32) (local $n i32) (local $count i32)
    (local.set $n (i32.const 2))
    (loop $next
      (local.set $count (i32.add (local.get $count) (call $isPrime (local.get $n))))
      (br_if $next (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 1))) (local.get $below))))
    (local.get $count)))
