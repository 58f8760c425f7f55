# Runs well.wasm, which has nothing to record, and says the exit code and what is left of an earlier run's record.
run() { # run NAME OPTIONS...
  local name=$1
  shift
  echo "${before:-warpo-record: 1}" > a.rec
  warpo-run -q "$@"
  echo "$name $? $(if [ -e a.rec ]; then echo kept; else echo gone; fi)"
}
run node --engine=node --record=a.rec well.wasm
run interp --engine=interp --record=a.rec well.wasm
warpo-instrument -q --unwind=none --instrumentation=fuel well.wasm -o fuel.wasm 2> /dev/null
run fuel --engine=interp --record=a.rec fuel.wasm
run trap --engine=interp --record=a.rec well.wasm --invoke=trap
before=notes run notes --engine=interp --record=a.rec well.wasm
ln -sf a.rec link.rec
run link --engine=interp --record=link.rec well.wasm
echo "pipe $(warpo-run -q --engine=interp --record=/dev/stdout well.wasm | wc -c) bytes to $(readlink /dev/stdout)"
run failed --engine=interp --record=a.rec nosuch.wasm
run default --engine=interp well.wasm
