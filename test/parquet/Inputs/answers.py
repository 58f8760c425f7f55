"""Answers the questions of share/warpo/sql from the profiles of each machine in CSV, apart from any database:
answers.py QUESTION [FUNCTION]. The lines are those of utils/duckdb-query.mjs."""
import collections
import csv
import math
import sys

HOSTS = {"web-1": "1.0", "web-2": "1.0", "web/3": "1.1", "web-4": "1.0"}
rows = []
for host, release in HOSTS.items():
    with open(host.replace("/", "-") + ".csv", newline="") as file:
        contexts = {}
        for row in csv.DictReader(file):
            caller = contexts.get(row["caller"])
            row["stack"] = (caller["stack"] if caller else ()) + (row["function"],)
            contexts[row["context"]] = row
            rows.append((host, release, row))


def sums(key):
    result = collections.Counter()
    for host, release, row in rows:
        result[key(host, release, row)] += int(row["time_self_ns"])
    return result


def rank(values, share):
    return sorted(values)[math.ceil(share * len(values)) - 1]


def top_functions():
    by_host = sums(lambda host, _, row: (row["function"], host))
    for function, time in sorted(sums(lambda *_: _[2]["function"]).items(), key=lambda item: (-item[1], item[0])):
        hosts = [by_host[function, host] for host in HOSTS]
        yield function, time, rank(hosts, 0.5), rank(hosts, 0.99)


def changed():
    times = sums(lambda _, release, row: (row["function"], release))
    counts = collections.Counter(HOSTS.values())
    changes = []
    for function in {function for function, _ in times}:
        old, new = (times[function, release] // counts[release] for release in ("1.0", "1.1"))
        if old != new:
            changes.append((function, old, new, new - old))
    return sorted(changes, key=lambda change: (-abs(change[3]), change[0]))


def odd_host():
    by_host, hosts = sums(lambda host, _, row: (host, row["function"])), sums(lambda host, *_: host)
    fleet = sums(lambda *_: _[2]["function"])
    total = sum(fleet.values())
    for host in hosts:
        yield host, 50 * sum(abs(by_host[host, name] / hosts[host] - time / total) for name, time in fleet.items())


def callers(function):
    calls, times = collections.Counter(), collections.Counter()
    for *_, row in rows:
        if row["function"] == function and function not in row["stack"][:-1]:
            caller = row["stack"][-2] if len(row["stack"]) > 1 else "(host)"
            calls[caller] += int(row["calls_self"])
            times[caller] += int(row["time_total_ns"])
    return [(caller, calls[caller], times[caller]) for caller in sorted(times, key=lambda caller: (-times[caller], caller))]


def modules():
    times = sums(lambda *_: _[2]["module"])
    return [(name, time, f"{100 * time / sum(times.values()):.1f}") for name, time in times.items()]


def over_time():
    times = sums(lambda *_: _[2]["function"])
    return [(name, times[name]) for name in sorted(times, key=lambda name: (-times[name], name)) if times[name]]


def regressions():
    times, totals = sums(lambda _, release, row: (row["function"], release)), sums(lambda _, release, __: release)
    for name in {name for name, _ in times}:
        before, after = (100 * times[name, release] / totals[release] for release in ("1.0", "1.1"))
        if after > 1.1 * before and after >= before + 0.5:
            yield "c1.1", name, before, after


for answer in globals()[sys.argv[1]](*sys.argv[2:]):
    print(*answer, sep="\t")
