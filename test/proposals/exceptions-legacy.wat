;; Exceptions, legacy form: try, catch, catch_all, delegate, rethrow, and throwing out of the module.
;; REQUIRES: npm, new-node
;; RUN: %new-node %S/Inputs/prove.mjs %s %t | FileCheck %s --match-full-lines
;; CHECK:      caught = 5: caught(raise)
;; CHECK-NEXT: all = 9: all(raise)
;; CHECK-NEXT: again = 6: again(passOn(raise))
;; CHECK-NEXT: delegated = 7: delegated(raise)
;; CHECK-NEXT: escaping = throws an exception: escaping(passOn(raise))
;; CHECK-NEXT: host = 3: host(env.fail)
;; CHECK-NOT:  {{.}}

(module
  (import "env" "fail" (func $env.fail))
  (tag $e (param i32))
  (tag $other (param i64))
  (func $raise (param i32) (result i32) (throw $e (local.get 0)))

  (func $caught (export "caught") (result i32)
    (try (result i32)
      (do (call $raise (i32.const 5)))
      (catch $other (drop (pop i64)) (i32.const 0))
      (catch $e (pop i32))))

  (func $all (export "all") (result i32)
    (try (result i32)
      (do (call $raise (i32.const 5)))
      (catch_all (i32.const 9))))

  ;; Rethrown out of nested blocks.
  (func $passOn (param i32) (result i32)
    (try $outer (result i32)
      (do (call $raise (local.get 0)))
      (catch_all
        (block (result i32)
          (rethrow $outer)))))

  (func $again (export "again") (result i32)
    (try (result i32)
      (do (call $passOn (i32.const 6)))
      (catch $e (pop i32))))

  (func $delegated (export "delegated") (result i32)
    (try $outer (result i32)
      (do
        (try (result i32)
          (do
            (try (result i32)
              (do (call $raise (i32.const 7)))
              (delegate $outer)))
          (catch_all (i32.const 1))))
      (catch $e (pop i32))))

  ;; Delegated to the caller, past all blocks.
  (func $escaping (export "escaping") (result i32)
    (try (result i32)
      (do (call $passOn (i32.const 8)))
      (delegate 0)))

  (func $host (export "host") (result i32)
    (try (result i32)
      (do (call $env.fail) (i32.const 2))
      (catch_all (i32.const 3)))))
