# Makes records of four machines with two releases of a program, and the folder `fleet` of their profiles: fleet.sh
set -e
for release in 1.0 1.1; do
  loops=$(test $release = 1.0 && echo 300 || echo 900) levels=$(test $release = 1.0 && echo 5 || echo 400) down=$(test $release = 1.0 && echo down || echo descend)
  cat > app-$release.wat <<END
(module \$app
  (func \$read (param i32) (result i32) local.get 0 i32.const 3 i32.mul)
  (func \$parse (param i32) (local i32)
    loop
      local.get 1
      call \$read
      drop
      local.get 1
      i32.const 1
      i32.add
      local.tee 1
      local.get 0
      i32.lt_u
      br_if 0
    end)
  (func \$write (param i32) i32.const 200 call \$parse local.get 0 call \$read drop)
  (func \$$down (param i32)
    local.get 0
    if
      local.get 0
      i32.const 1
      i32.sub
      call \$$down
    end)
  (func \$_start (export "_start") i32.const $loops call \$parse i32.const 7 call \$write i32.const $levels call \$$down)
  (memory (export "memory") 1))
END
  warpo-instrument -q --unwind=none --instrumentation=trace app-$release.wat -o app-$release.wasm --trace-point-mapping-file app-$release.map
done
for host in web-1:1.0 web-2:1.0 web/3:1.1 web-4:1.0; do
  release=${host#*:} host=${host%:*} record=$(echo ${host%:*} | tr / -).warpo
  warpo-run -q --engine=interp --record=$record app-$release.wasm
  labels="--label service=shop --label team=t"
  test $host != web-4 || labels="--label service=a/b --label zone=z"
  warpo-flamegraph --no-progress --format=parquet $labels --label host=$host --label release=$release --label commit=c$release \
    $record -o fleet/
done
