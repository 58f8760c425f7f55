;; Compact imports: several of one module, with a kind each or one for all; the trace point comes behind them.
;; REQUIRES: npm, new-node
;; RUN: %new-node %S/Inputs/prove.mjs %s %t | FileCheck %s --match-full-lines
;; CHECK:     not run, since V8 {{[0-9]+}} does not know it: unknown import kind 0x7e
;; CHECK-NOT: {{.}}
;; RUN: FileCheck %s --check-prefix=MAP --match-full-lines < %t.map
;; MAP:      16777216 env.add
;; MAP-NEXT: 16777217 env.sub
;; MAP-NEXT: 16777218 other.f
;; MAP-NEXT: 16777219 other.g
;; MAP-NEXT: 16777220 main

(module
  (import "env" "add" (func $env.add (param i32 i32) (result i32)))
  (import "env" "sub" (func $env.sub (param i32 i32) (result i32)))
  (import "other" "f" (func $other.f))
  (import "other" "number" (global $number i32))
  (import "other" "g" (func $other.g (result i32)))
  (func $main (export "main") (result i32)
    (call $other.f)
    (call $env.add (call $env.sub (i32.const 1) (global.get $number)) (call $other.g))))
