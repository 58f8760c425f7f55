# SPDX-License-Identifier: Apache-2.0
"""Compares counts of a spanning tree with those of all runs.

usage: compare-counts.py TREE.csv ALL.csv [WITHIN]

Both are what warpo-annotate --format=csv writes of the same execution. Each run and each arm of the first must have the number
that the second, in which no count depends on another, has for it, or one that differs by WITHIN at most. Prints how many there were, and
what all instructions together cost.
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
    (tree, tree_arms), (every, every_arms) = map(read, sys.argv[1:3])
    within = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    for place, (executions, _) in tree.items():
        if abs(every[place][0] - executions) > within:
            sys.exit(f"run {place}: {executions}, but {every[place][0]}")
    if tree_arms.keys() != every_arms.keys():
        sys.exit("other arms")
    for arm, executions in tree_arms.items():
        if abs(every_arms[arm] - executions) > within:
            sys.exit(f"arm {arm}: {executions}, but {every_arms[arm]}")
    costs = [sum(executions * cost for executions, cost in each.values()) for each in (tree, every)]
    if within == 0 and costs[0] != costs[1]:
        sys.exit(f"all instructions cost {costs[0]}, but {costs[1]}")
    executed = sum(executions > 0 for executions, _ in tree.values())
    print(f"{len(tree)} runs, {executed} executed; {len(tree_arms)} arms; cost {costs[0]}, {costs[1]}")


main()
