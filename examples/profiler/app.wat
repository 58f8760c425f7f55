;; SPDX-License-Identifier: Apache-2.0
;; A program to profile: `run` burns most of its fuel in $hot, which it calls by two ways.
(module
  (func $hot (param $n i32) (result i32)
    (local $sum i32)
    (loop $again
      (local.set $sum (i32.add (local.get $sum) (i32.mul (local.get $n) (local.get $n))))
      (br_if $again (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
    (local.get $sum))
  (func $warm (param $n i32) (result i32) (call $hot (local.get $n)))
  (func $run (export "run") (param $n i32)
    (drop (call $hot (i32.mul (local.get $n) (i32.const 3))))
    (drop (call $warm (local.get $n))))
  (func $fail (export "fail") (param $n i32)
    (drop (call $hot (local.get $n)))
    (unreachable)))
