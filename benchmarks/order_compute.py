#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what warpo-order takes for a thousand runs.

  benchmarks/order_compute.py [--build build] [--quick]

Makes a module of 20 000 functions and 1 000 records of what runs first: in each, nine tenths of 200 features of a hundred
functions, in an order of its own. Computes each order that --list-orders lists from all of them, and 'balanced' from runs
that have nothing in common, half of them with a weight of 8: the worst that it can be given. Prints one line for each
figure with what it is to reach: user and system time of the whole process, and its largest resident set. Exit code 1 if a
figure is missed. --quick takes a tenth of the runs, and a tenth of the time for them.
"""

import array
import os
import random
import subprocess
import sys
import tempfile

from measure import Figures, Run, start

FEATURES = 200
FUNCTIONS_A_FEATURE = 100
FUNCTIONS = FEATURES * FUNCTIONS_A_FEATURE
FIRST_ID = 0x1000000


def leb(number):
    data = bytearray()
    while number >= 0x80:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    data.append(number)
    return bytes(data)


def sized(data):
    return leb(len(data)) + data


def write_module(path):
    """Functions of 20 to 400 bytes that do nothing."""
    chooser = random.Random(1)
    bodies = (b"\0" + b"\x01" * chooser.randint(18, 398) + b"\x0b" for _ in range(FUNCTIONS))
    names = b"".join(leb(i) + sized(b"feature%d.f%d" % divmod(i, FUNCTIONS_A_FEATURE)) for i in range(FUNCTIONS))
    with open(path, "wb") as module:
        module.write(b"\0asm\1\0\0\0")
        module.write(b"\x01" + sized(leb(1) + b"\x60\0\0"))
        module.write(b"\x03" + sized(leb(FUNCTIONS) + b"\0" * FUNCTIONS))
        module.write(b"\x0a" + sized(leb(FUNCTIONS) + b"".join(map(sized, bodies))))
        module.write(b"\0" + sized(sized(b"name") + b"\x01" + sized(leb(FUNCTIONS) + names)))


def write_mapping(path):
    with open(path, "w") as mapping:
        for i in range(FUNCTIONS):
            feature, function = divmod(i, FUNCTIONS_A_FEATURE)
            mapping.write(f"{FIRST_ID + i} feature{feature}.f{function}\n")


def write_shuffled(path, seed):
    """All functions, in an order of this record's own."""
    ids = array.array("i")
    for function in random.Random(seed).sample(range(FUNCTIONS), FUNCTIONS):
        ids.append(FIRST_ID + function)
        ids.append(-FIRST_ID - function)
    write_ids(path, ids)


def write_record(path, seed):
    """Main calls the features in turn, so that there are calls for an order by calls."""
    chooser = random.Random(seed)
    features = chooser.sample(range(FEATURES), FEATURES * 9 // 10)
    ids = array.array("i")
    for feature in features:
        first = FIRST_ID + feature * FUNCTIONS_A_FEATURE
        ids.append(first)
        for function in chooser.sample(range(1, FUNCTIONS_A_FEATURE), FUNCTIONS_A_FEATURE - 1):
            ids.append(first + function)
            ids.append(-first - function)
        ids.append(-first)
    write_ids(path, ids)


def write_ids(path, ids):
    """A record in the format warp: what begins and ends, a count apart."""
    entries = array.array("i", bytes(16 * len(ids)))
    entries[0::4] = array.array("i", [1]) * len(ids)
    entries[2::4] = array.array("i", range(len(ids)))
    entries[3::4] = ids
    with open(path, "wb") as record:
        record.write(b"___WARP_TRACE___")
        record.write(entries.tobytes())


def main():
    build, quick = start(__doc__, ["warpo-order"])
    runs = 100 if quick else 1000
    tool = os.path.join(build, "bin/warpo-order")
    figures = Figures()
    listed = subprocess.run([tool, "--list-orders"], check=True, capture_output=True, text=True)
    orders = [line.split(" - ")[0] for line in listed.stdout.splitlines()]
    with tempfile.TemporaryDirectory(dir=build) as folder:
        path = lambda name: os.path.join(folder, name)
        write_module(path("app.wasm"))
        write_mapping(path("app.map"))
        records = [path(f"run{i}") for i in range(runs)]
        for seed, record in enumerate(records):
            write_record(record, seed)
        print(f"{runs} runs of {FUNCTIONS} functions")

        def compute(title, order, limit, *options):
            run = Run([tool, f"--module-file={path('app.wasm')}", f"--mapping={path('app.map')}", f"--order={order}",
                       "--no-progress", "-o", path("app.order"), *options, *records])
            figures.add(f"{title}: time", run.seconds, "s", limit / 10 if quick else limit)
            figures.add(f"{title}: memory", run.megabytes, "MB", 1000)

        for order in orders:
            compute(order, order, 30)
        for seed, record in enumerate(records):
            write_shuffled(record, seed)
        weights = [f"--weight-of={record}=8" for record in records[::2]]
        compute("balanced, nothing in common", "balanced", 60, *weights)
    sys.exit(1 if figures.missed else 0)


if __name__ == "__main__":
    main()
