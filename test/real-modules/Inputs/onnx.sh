# Records onnx.mjs, which ends as $2 says, with the Node $1. The recorder's folder is $3, $4 that of instrument-on-load.mjs.
set -e -o pipefail
rm -f *.warpo*
WARPO_INSTRUMENT="--instrumentation=trace --min-instructions=100" "$1" --import "file://$3/register.mjs" --import "$4/instrument-on-load.mjs" \
  "$(dirname "$0")/onnx.mjs" "$2" > answer.txt
test "$(cat answer.txt)" = "2 510,510,510"
test "$(echo app.warpo*)" = app.warpo
test "$(warpo-record-dump --summary app.warpo | grep '^damage')" = "damage: none"

# Whichever threads take the parts of a product, it is the same calls of what multiplies: as many as rows and a little more, 20 times.
warpo-report --top=0 --format=csv --columns=calls,function app.warpo | grep -x '5160,func\[1327\]'
# A worker calls what looks for work, in a call that does not come back.
warpo-record-dump --format=csv '--function=func[[]1403]' app.warpo > search.csv
for thread in 1 2; do grep ",begin,.*,thread $thread$" search.csv | head -n 1 | count 1; done
