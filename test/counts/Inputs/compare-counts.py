# SPDX-License-Identifier: Apache-2.0
"""Compares counts of a spanning tree with those of all runs.

usage: compare-counts.py TREE.csv ALL.csv

Both are what warpo-annotate --format=csv writes of the same execution. Each run and each arm of the first must have the number
that the second, in which no count depends on another, has for it. Prints how many there were, and what all instructions together
cost.
"""
import csv
import sys


def read(path):
    runs, arms = {}, {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            place = row["function"], row["offset"]
            if row["kind"] == "run":
                runs[place] = int(row["executions"]), int(row["cost"])
            else:
                arms[place, row["arm"]] = int(row["executions"])
    return runs, arms


def main():
    (tree, tree_arms), (every, every_arms) = map(read, sys.argv[1:])
    for place, (executions, _) in tree.items():
        if every[place][0] != executions:
            sys.exit(f"run {place}: {executions}, but {every[place][0]}")
    if tree_arms != every_arms:
        sys.exit(f"arms: {[arm for arm in tree_arms if tree_arms[arm] != every_arms.get(arm)][:5]}")
    executed = sum(executions > 0 for executions, _ in tree.values())
    print(f"{len(tree)} runs, {executed} executed; {len(tree_arms)} arms; cost "
          f"{sum(executions * cost for executions, cost in tree.values())}, "
          f"{sum(executions * cost for executions, cost in every.values())}")


main()
