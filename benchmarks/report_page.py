#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the page of a report, of a profile of 50 000 calling contexts and of the timeline of the same record: how large it
is, and what a frame costs while a person zooms in Chromium, which shows 60 a second where it costs less than 16.7 ms.

  benchmarks/report_page.py [--build build] [--quick]

Exit code 1 if a figure is missed. --quick takes records of a tenth of the size.
"""

import os
import shutil
import subprocess
import sys
import tempfile

from measure import CONTEXTS, FUNCTIONS, Figures, start

# Milliseconds, of 60 frames a second.
FRAME = 1000 / 60


def main():
    build, quick = start(__doc__, ["warpo_trace_visualizer", "warpo-flamegraph", "gen_record"])
    chromium = shutil.which("chromium") or sys.exit("chromium is not installed")
    here = os.path.dirname(os.path.abspath(__file__))
    events, contexts = (100_000, CONTEXTS // 10) if quick else (10_000_000, CONTEXTS)
    figures = Figures()
    with tempfile.TemporaryDirectory(dir=build) as folder:
        record, names = os.path.join(folder, "record"), os.path.join(folder, "map")
        subprocess.run([os.path.join(build, "benchmarks/gen_record"), str(events), str(FUNCTIONS), "1", record, names,
                        str(contexts)], check=True)
        pages = {"profile": ("warpo-flamegraph", "flame", 2), "timeline": ("warpo_trace_visualizer", "timeline", 10)}
        for name, (tool, tab, megabytes) in pages.items():
            page = os.path.join(folder, name + ".html")
            subprocess.run([os.path.join(build, "bin", tool), "--mapping", names, "--rate=1", "--format=html", record, "-o",
                            page], check=True, stderr=subprocess.DEVNULL)
            figures.add(f"{name}: size of the page", os.path.getsize(page) / 1e6, "MB", megabytes)
            said = subprocess.run(["node", os.path.join(here, "report_page.mjs"), chromium, page, tab], check=True,
                                  capture_output=True, text=True).stdout.split()
            frames_per_second, drawing = map(float, said)
            # Of a machine that does nothing else: else it says more about the machine.
            print(f"{name}: {frames_per_second:.1f} frames a second while zooming")
            figures.add(f"{name}: CPU time of the page's thread a frame", drawing, "ms", round(FRAME, 1))
    sys.exit(1 if figures.missed else 0)


main()
