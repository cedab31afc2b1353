#!/usr/bin/env python3
"""at_speed.py OLD/plumb NEW/plumb - real objects, two builds in turns.

Objects of the library: random executions with and without races, all schedules
within two preemptions, and what a state takes.  Processor seconds of the command
with all its processes, the least of three; memory is that of the largest.
"""
import os
import subprocess
import sys
import tempfile

TURNS = 3
RANDOM = ["--strategy", "random", "--executions", "100000", "--test"]
QUEUE = "enq(%d) deq()"
STACK = "push(%d) pop()"
SET = "insert(%d) delete(1)"


def test(threads, calls):
    return " | ".join(calls % (t + 1) for t in range(threads))


ROWS = [
    ["treiber", *RANDOM, test(3, STACK)],
    ["treiber", "--races", "ignore", *RANDOM, test(3, STACK)],
    ["michael-scott", *RANDOM, test(3, QUEUE)],
    ["michael-scott", "--races", "ignore", *RANDOM,
                       test(3, QUEUE)],
    ["michael-scott", "--preemptions", "2"],
    ["michael-scott", "--preemptions", "2", "--test",
                       test(4, QUEUE)],
    ["treiber", "--preemptions", "3", "--test", test(3, STACK)],
    ["lazy-list", "--preemptions", "3", "--test", test(3, SET)],
]


def run(plumb, words, folder):
    """Seconds, megabytes and the states that the command told."""
    with tempfile.TemporaryFile("w+") as out:
        child = subprocess.Popen([plumb, "explore", *words], cwd=folder,
                                 stdout=out, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            sys.exit("%s: exit status %d" % (words, child.returncode))
        out.seek(0)
        told = out.read().split()
    states = int(told[told.index("states,") - 1]) if "states," in told else 0
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, states


def main():
    builds = [os.path.realpath(p) for p in sys.argv[1:3]]
    print("| what | before | now | ratio | states | MB before, now |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for words in ROWS:
            best, most, states = [1e9, 1e9], [0, 0], [0, 0]
            for turn in range(TURNS + 1):  # the first one compiles
                for i, build in enumerate(builds):
                    seconds, memory, states[i] = run(build, words, folder)
                    best[i] = min(best[i], seconds) if turn else best[i]
                    most[i] = memory
            if states[0] != states[1] and "--test" in words:
                sys.exit("%s: %d states, now %d" % (words, *states))
            print("| `%s` | %.2f s | %.2f s | %.2f | %d | %.0f, %.0f |" % (
                " ".join(words), *best, best[0] / best[1], states[1], *most),
                flush=True)


main()
