#!/usr/bin/env python3
"""rings.py PLUMB [RINGS [OPERATIONS]] - long histories of real rings, by their monitor.

Records rings of the object library with 8 real threads, or with RINGS (the
program of bench/rings.c) its ring of 1024 slots, and checks each with the
specification it has; none is searched.  Then an `empty` is planted where items
are there for sure: it has to be found, with a core of fewer than 20 operations.
Times are printed, not judged; docs/benchmarks.md has the bar.
"""

import os
import resource
import subprocess
import sys
import tempfile

RINGS = (
    ("vyukov", ",weak"),
    ("vyukov-recheck", ""),
    ("two-index-ring", ",weak=claim"),
    ("one-consumer-index-ring", ",weak=claim"),
)
THREADS = 8


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def record(plumb, ring, slots, operations, path):
    if os.path.sep in ring:
        program, *strict = ring.split(" ")
        done = run(program, path, str(slots), str(THREADS), str(operations), *strict)
    else:
        done = run(plumb, "simulate", "--record", path, "-c", ring, "-p", str(THREADS),
                   "-n", str(operations // THREADS), "--", f"-DCAPACITY={slots}")
    if done.returncode:
        sys.exit(f"{ring}: {done.stderr}")


def check(plumb, path, spec, *more):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = run(plumb, "check", path, "--spec", spec, "--algorithm", "monitor", *more)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout, seconds


def answers_of(lines):
    """By the place of a call, its answer; None: it has none."""
    answers, call_of = {}, {}
    for i, line in enumerate(lines):
        name, thread = line.split(" ")[1:3]
        if name.startswith(("enq(", "deq(")):
            call_of[thread] = i
        else:
            answers[call_of.pop(thread)] = name
    return answers


def places(lines):
    """Where items are there for sure, and nobody adds any."""
    answers, items, open_calls = answers_of(lines), 0, {}
    for i, line in enumerate(lines):
        name, thread = line.split(" ")[1:3]
        if name.startswith(("enq(", "deq(")):
            open_calls[thread] = name[:3]
            items -= name.startswith("deq") and answers.get(i, "").startswith("ok(")
        else:
            items += open_calls.pop(thread) == "enq" and name.startswith("ok(")
        if items > 0 and "enq" not in open_calls.values():
            yield i


def plant(plumb, path, to):
    """False: there is no place for it."""
    text = run(plumb, "convert", path, "-", "--to", "native", "-q").stdout
    lines = text.rstrip("\n").split("\n")
    where = list(places(lines))
    if not where:
        return False
    at = where[len(where) // 2] + 1
    lines[at:at] = ["Q deq() P99", "Q empty() P99"]
    with open(to + ".txt", "w", encoding="ascii") as f:
        f.write("\n".join(lines) + "\n")
    run(plumb, "convert", to + ".txt", to)
    return True


def core_of(said):
    """How many operations are a violation by themselves."""
    for line in said.split("\n"):
        words = line.split()
        if words[:1] == ["these"] or "alone is a violation" in line:
            return int(words[words[0] == "these"])
    return None


def try_ring(plumb, ring, weak, slots, operations, scratch):
    path = os.path.join(scratch, "ring")
    spec = f"queue:cap={slots}{weak}"
    record(plumb, ring, slots, operations, path + ".rec")
    run(plumb, "convert", path + ".rec", path + ".plumb")
    said, seconds = check(plumb, path + ".plumb", spec)
    right = said.startswith(path + ".plumb: linearizable")
    size, more = None, 0.0
    if plant(plumb, path + ".plumb", path + "-bad.plumb"):
        told, more = check(plumb, path + "-bad.plumb", spec)
        size = core_of(told)
        right = right and size is not None and size < 20
    text = run(plumb, "convert", path + ".plumb", "-", "--to", "native", "-q").stdout
    print(f"{os.path.basename(ring)}, {spec}: {operations} operations, {text.count(' empty()')} empty, "
          f"{text.count(' full()')} full: {seconds:.2f} s; "
          f"a planted empty: {more:.2f} s, core of {size}", flush=True)
    for name in os.listdir(scratch):
        os.remove(os.path.join(scratch, name))
    if not right:
        print(said, told if size is not None or more else "")
    return right


def main():
    plumb = os.path.abspath(sys.argv[1])
    operations = int(sys.argv[3]) if len(sys.argv) > 3 else 24000
    rings, slots = RINGS, (2, 16)
    if len(sys.argv) > 2:
        program = os.path.abspath(sys.argv[2])
        rings, slots = ((program, ",weak"), (program + " strict", "")), (1024,)
    right = True
    with tempfile.TemporaryDirectory() as scratch:
        for ring, weak in rings:
            for n in slots:
                right &= try_ring(plumb, ring, weak, n, operations, scratch)
    sys.exit(not right)


if __name__ == "__main__":
    main()
