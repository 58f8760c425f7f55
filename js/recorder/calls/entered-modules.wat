;; SPDX-License-Identifier: Apache-2.0
;; The instances of a thread that the host has entered and that may have open calls: those on the stack, and those that a
;; trap has ended since. They are few. Used by entered-modules.mjs.
;;
;; Several instances of one module may have calls of the same functions open. A report ends the innermost of them, as
;; the instance that has trapped ran last; the engine's stack shows which others have ended with it.
(module
  (type $report (func (result i32)))
  ;; Looks at the engine's stack for what else a trap has ended.
  (import "recorder" "findEnded" (func $findEnded))
  ;; Has an instance report a trap that has ended it. Returns 1 if calls of it may be open, and 2 more if there was one.
  (table $reports 64 funcref)
  ;; The numbers of the instances at the same places.
  (memory 1)
  (global $count (mut i32) (i32.const 0))
  ;; The number of the instance that is the only one in the list; 0 if there is no such.
  (global $only (export "only") (mut i32) (i32.const 0))
  ;; An instance that was asked has reported a trap.
  (global $hasReported (mut i32) (i32.const 0))
  ;; Several instances of one module are or were on the thread.
  (global $hasTwins (export "hasTwins") (mut i32) (i32.const 0))
  ;; Set while the recorder writes: a sink may call the program, whose modules then only seem to have trapped.
  (global $isWriting (export "isWriting") (mut i32) (i32.const 0))

  (func $placeOf (param $at i32) (result i32) (i32.shl (local.get $at) (i32.const 2)))

  (func $put (param $at i32) (param $number i32) (param $report funcref)
    (i32.store (call $placeOf (local.get $at)) (local.get $number))
    (table.set $reports (local.get $at) (local.get $report)))

  ;; Whether the instance at this place stays in the list while the one with this number is entered.
  (func $stays (param $at i32) (param $entered i32) (result i32)
    (local $answer i32)
    (if (i32.eq (i32.load (call $placeOf (local.get $at))) (local.get $entered))
      (then (return (i32.const 1))))
    (local.set $answer (call_indirect $reports (type $report) (local.get $at)))
    (global.set $hasReported (i32.or (global.get $hasReported) (i32.and (local.get $answer) (i32.const 2))))
    (i32.and (local.get $answer) (i32.const 1)))

  ;; Has all others report, and drops those that have no open calls. Returns whether the instance itself is in the list.
  (func $askOthers (param $entered i32) (result i32)
    (local $at i32) (local $kept i32) (local $isKnown i32) (local $number i32)
    (loop $next
      (if (i32.lt_u (local.get $at) (global.get $count))
        (then
          (if (call $stays (local.get $at) (local.get $entered))
            (then
              (local.set $number (i32.load (call $placeOf (local.get $at))))
              (if (i32.eq (local.get $number) (local.get $entered)) (then (local.set $isKnown (i32.const 1))))
              (call $put (local.get $kept) (local.get $number) (table.get $reports (local.get $at)))
              (local.set $kept (i32.add (local.get $kept) (i32.const 1)))))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br $next))))
    (table.fill $reports (local.get $kept) (ref.null func) (i32.sub (global.get $count) (local.get $kept)))
    (global.set $count (local.get $kept))
    (local.get $isKnown))

  ;; The host enters the instance with this number. `trapped`: 1 if the instance has just reported a trap, and more if
  ;; calls of it wait. `report` is null while the instance is being made.
  (func (export "enter") (param $number i32) (param $trapped i32) (param $report funcref)
    (local $isKnown i32)
    (if (global.get $isWriting) (then (return)))
    (global.set $hasReported (i32.const 0))
    (local.set $isKnown (call $askOthers (local.get $number)))
    ;; A trap has also ended calls that wait for it, but not those that wait for the host.
    (if (i32.or
          (i32.gt_u (local.get $trapped) (i32.const 1))
          (i32.or
            (i32.and
              (i32.ne (global.get $hasReported) (i32.const 0))
              (i32.or (global.get $hasTwins) (i32.ne (global.get $count) (i32.const 0))))
            (i32.and
              (i32.ne (local.get $trapped) (i32.const 0))
              (i32.or (global.get $hasTwins) (i32.gt_u (global.get $count) (local.get $isKnown))))))
      (then (call $findEnded)))
    (if (i32.eqz (i32.or (local.get $isKnown) (ref.is_null (local.get $report))))
      (then
        ;; Too many: their traps show when they are entered themselves.
        (if (i32.eq (global.get $count) (table.size $reports)) (then (call $clear)))
        (call $put (global.get $count) (local.get $number) (local.get $report))
        (global.set $count (i32.add (global.get $count) (i32.const 1)))))
    (global.set $only (select (i32.load (i32.const 0)) (i32.const 0) (i32.eq (global.get $count) (i32.const 1)))))

  ;; At rest nothing is open: what still seems to run has trapped.
  (func (export "rest")
    (drop (call $askOthers (i32.const 0)))
    (call $clear))

  ;; The table would keep instances alive.
  (func $clear
    (table.fill $reports (i32.const 0) (ref.null func) (global.get $count))
    (global.set $count (i32.const 0))
    (global.set $only (i32.const 0))))
