;; Opens "note.txt" in the first folder that WASI gives (descriptor 3) and copies its beginning to standard output. The
;; exit code is path_open's error number.
(module
  (import "wasi_snapshot_preview1" "path_open"
    (func $path_open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_read" (func $fd_read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_prestat_dir_name" (func $fd_prestat_dir_name (param i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 16) "note.txt")
  (data (i32.const 32) "/notes: ")
  (func (export "main") (result i32)
    (local $error i32)
    (drop (call $fd_prestat_dir_name (i32.const 3) (i32.const 32) (i32.const 6)))
    (i32.store (i32.const 0) (i32.const 32))
    (i32.store (i32.const 4) (i32.const 8))
    (drop (call $fd_write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 12)))
    ;; The right to read, 1 << 1, and nothing else.
    (local.set $error (call $path_open (i32.const 3) (i32.const 0) (i32.const 16) (i32.const 8) (i32.const 0)
      (i64.const 2) (i64.const 0) (i32.const 0) (i32.const 8)))
    (i32.store (i32.const 0) (i32.const 1024))
    (i32.store (i32.const 4) (i32.const 100))
    (drop (call $fd_read (i32.load (i32.const 8)) (i32.const 0) (i32.const 1) (i32.const 4)))
    (drop (call $fd_write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 12)))
    (local.get $error)))
