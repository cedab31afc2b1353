#!/usr/bin/env python3
"""going_back.py OLD/plumb NEW/plumb [OPTION...] - executions per processor second.

Two builds in turns, on the same tests: what an execution costs that begins as
the one before did.  Processor time of the process that runs a test, without its
start (`--verbose` reports it); the best of three.
"""
import os
import re
import subprocess
import sys
import tempfile

EXECUTIONS, TURNS = "100000", 3

TESTS = {
    "michael-scott": ("deq()", "enq(%d)"),
    "treiber": ("pop()", "push(%d)"),
    "lazy-list": ("delete(1)", "insert(%d)"),
}


def test(calls, threads, ops):
    """The first half of the operations takes, the other half puts."""
    number, columns = 0, []
    for _ in range(threads):
        column = []
        for _ in range(ops):
            number += 1
            call = calls[number % 2]
            column.append(call % (number % 4 + 1) if "%" in call else call)
        columns.append(" ".join(column))
    return " | ".join(columns)


def rate(plumb, words, folder):
    ran = subprocess.run(
        [plumb, "explore", *words, "--executions", EXECUTIONS, "--verbose",
         "--no-minimise"], cwd=folder, capture_output=True, text=True,
        check=False)
    told = re.search(r"test 1:.* (\d+) schedules in ([0-9.]+) ms", ran.stderr)
    if not told:
        sys.exit(ran.stderr)
    return 1000 * int(told[1]) / float(told[2])


def main():
    builds = [os.path.realpath(p) for p in sys.argv[1:3]]
    options = sys.argv[3:] or ["--preemptions", "all"]
    with tempfile.TemporaryDirectory() as folder:
        print("| test | before, thousands a second | now | ratio |")
        print("|---|---|---|---|")
        for name, calls in TESTS.items():
            for threads, ops in ((2, 4), (3, 2), (3, 3)):
                words = [name, "--test", test(calls, threads, ops), *options]
                best = [0, 0]
                for _ in range(TURNS):
                    for i, build in enumerate(builds):
                        best[i] = max(best[i], rate(build, words, folder))
                print("| `%s` %dx%d | %.0f | %.0f | %.1f |" % (
                    name, threads, ops, best[0] / 1000, best[1] / 1000,
                    best[1] / best[0]), flush=True)


main()
