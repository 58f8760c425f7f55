# SPDX-License-Identifier: Apache-2.0
"""Prints the name and the sum of the first column of a CSV table on standard input."""
import csv
import sys

rows = list(csv.reader(sys.stdin))
print(rows[0][0], sum(int(row[0]) for row in rows[1:]))
