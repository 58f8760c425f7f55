;; Exceptions by reference: try_table with its four kinds of clauses, throw_ref, clauses that leave the function.
;; REQUIRES: npm, new-node
;; RUN: %new-node %S/Inputs/prove.mjs %s %t | FileCheck %s --match-full-lines
;; CHECK:      catch = 5: catch(raise)
;; CHECK-NEXT: catchRef = 6: catchRef(passOn(raise))
;; CHECK-NEXT: catchAll = 7: catchAll(raise)
;; CHECK-NEXT: escaping = throws an exception: escaping(passOn(raise))
;; CHECK-NEXT: clauseLeaves = 8: clauseLeaves(raise)
;; CHECK-NEXT: host = 3: host(env.fail)
;; CHECK-NOT:  {{.}}

(module
  (import "env" "fail" (func $env.fail))
  (tag $e (param i32))
  (tag $other (param i64))
  (func $raise (param i32) (result i32) (throw $e (local.get 0)))

  (func $catch (export "catch") (result i32)
    (block $handler (result i32)
      (drop (block $not (result i64)
        (return (try_table (result i32) (catch $other $not) (catch $e $handler)
          (call $raise (i32.const 5))))))
      (unreachable)))

  (func $passOn (param i32) (result i32)
    (throw_ref (block $handler (result exnref)
      (return (try_table (result i32) (catch_all_ref $handler)
        (call $raise (local.get 0)))))))

  (func $catchRef (export "catchRef") (result i32)
    (local $number i32)
    (block $handler (result i32 exnref)
      (return (try_table (result i32) (catch_ref $e $handler)
        (call $passOn (i32.const 6)))))
    (drop))

  (func $catchAll (export "catchAll") (result i32)
    (block $handler
      (return (try_table (result i32) (catch_all $handler)
        (call $raise (i32.const 5)))))
    (i32.const 7))

  (func $escaping (export "escaping") (result i32)
    (call $passOn (i32.const 8)))

  ;; The clause's label is the function's own.
  (func $clauseLeaves (export "clauseLeaves") (result i32)
    (try_table (catch $e 0)
      (drop (call $raise (i32.const 8))))
    (i32.const 0))

  (func $host (export "host") (result i32)
    (block $handler
      (try_table (catch_all $handler)
        (call $env.fail))
      (return (i32.const 2)))
    (i32.const 3)))
