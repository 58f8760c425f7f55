(module
  (func $work (param i32)
    (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))
  (func $_start (export "_start") (call $work (i32.const 1003))))
