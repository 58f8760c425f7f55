# compare-live.py LOG RECORD.yaml [--usable]: the blocks that are live at a record's end are, with their sizes, those that the program itself knows
# of: lines `live ADDRESS SIZE` of LOG. --usable: these sizes are how much can be used, which may be more than was asked for.
import re
import sys

log, record = sys.argv[1:3]
expected = {}
for line in open(log):
    if line.startswith("live "):
        address, size = map(int, line.split()[1:])
        expected[address] = size

live, events, wrong = {}, 0, 0
for line in open(record):
    found = re.match(r"  - heap: \[(\w+), -?\d+, \d+, ([\d, ]*\d)", line)
    if not found:
        continue
    operation, numbers = found[1], [int(text) for text in found[2].split(", ")]
    if operation == "grow":
        continue
    events += 1
    if operation == "free" or (operation == "reallocate" and numbers[1] != 0):
        wrong += live.pop(numbers[0], None) is None
    if operation == "free":
        continue
    address, size = numbers[-2:]
    if address:
        wrong += address in live
        live[address] = size

if sys.argv[3:] == ["--usable"]:
    expected = {address: min(size, live.get(address, size)) for address, size in expected.items()}
if live != expected:
    missing = {address: size for address, size in expected.items() if live.get(address) != size}
    more = {address: size for address, size in live.items() if expected.get(address) != size}
    sys.exit(f"{len(live)} live, not {len(expected)}; missing {list(missing.items())[:5]}, more {list(more.items())[:5]}")
print(f"{events} events, {wrong} wrong, {len(live)} live: the same blocks")
