#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sums up lit's results: `N passed, N failed`, and `, N skipped` if any were; names the tests that passed at the second try.

usage: count-results.py RESULTS.json...

A file that is missing or unreadable counts as one failure, since a run that ended early has not passed.
The exit code is 1 if a test failed or none ran.
"""
import json
import sys

PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
SKIPPED = {"UNSUPPORTED", "SKIPPED"}
NOT_CHOSEN = {"EXCLUDED"}


def main(paths):
    passed = failed = skipped = 0
    for path in paths:
        try:
            with open(path) as file:
                tests = json.load(file)["tests"]
        except (OSError, ValueError, KeyError) as error:
            print(f"count-results: no results in {path}: {error}", file=sys.stderr)
            failed += 1
            continue
        for test in tests:
            code = test["code"]
            if code in PASSED:
                passed += 1
                if code == "FLAKYPASS":
                    print(f"passed at the second try: {test['name']}")
            elif code in SKIPPED:
                skipped += 1
            elif code not in NOT_CHOSEN:
                failed += 1
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
