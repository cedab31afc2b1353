#!/usr/bin/env python3
"""compare.py OLD NEW [ROUNDS] - is NEW slower than OLD?

OLD and NEW are two `plumb` programs.  Each command below is run by both in
turns, ROUNDS times (7), and the least processor time of each, children
included, is printed with the ratio: a machine that is shared disturbs the least
of several less than an average.  The exit status of both must agree.
"""
import os
import subprocess
import sys
import tempfile

HISTORIES = [  # name, specification, further words for generate
    ("queue", "queue", ["--values", "unique"]),
    ("stack", "stack", ["--values", "unique"]),
    ("priority", "priority-queue", ["--values", "unique"]),
    ("set", "set", []),
    ("map", "map", []),
    ("register", "register", ["--values", "unique"]),
    ("bounded", "queue:cap=64", ["--overlap", "30"]),
]
OPERATIONS = {"bounded": "20000"}  # the search decides these

EXPLORE = [
    ["treiber"],
    ["michael-scott", "--test", "enq(1) deq() | enq(2) deq() | enq(3) deq()"],
    ["lazy-list", "--threads", "3", "--ops", "2"],
    ["buf-ring-full"],
    ["treiber", "--strategy", "dpor", "--preemptions", "all", "--test",
     "push(1) pop() | push(2) pop()"],
    ["michael-scott", "--strategy", "random", "--threads", "3", "--ops", "2",
     "--samples", "3", "--executions", "100000"],
]
VERIFY = [
    ["stack", "-D", "N=3"],
    ["shann-queue"],
    ["mailbox", "-D", "OPS=3"],
    ["stack", "-D", "N=4"],
    ["register", "-D", "K=6"],
]


def processor_time(command, scratch):
    """Seconds of user and system time of the command and all its children."""
    before = os.times()
    status = subprocess.run(command, cwd=scratch, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, check=False).returncode
    after = os.times()
    used = (after.children_user - before.children_user +
            after.children_system - before.children_system)
    return used, status


def make_histories(plumb, scratch):
    """Yields the words of `plumb check` for each history, as text and binary."""
    for name, spec, words in HISTORIES:
        text = os.path.join(scratch, name + ".hist")
        with open(text, "wb") as out:
            subprocess.run([plumb, "generate", "--spec", spec, "--ops",
                            OPERATIONS.get(name, "1000000"), "--threads", "8",
                            "--seed", "1", *words], stdout=out,
                           stderr=subprocess.DEVNULL, check=True)
        binary = os.path.join(scratch, name + ".plumb")
        subprocess.run([plumb, "convert", text, binary], check=True,
                       stderr=subprocess.DEVNULL)
        for file in (text, binary):
            yield ["check", "--spec", spec, file]


def commands(plumb, scratch):
    yield from make_histories(plumb, scratch)
    yield from (["explore", *words] for words in EXPLORE)
    yield from (["verify", *words] for words in VERIFY)


def compare(old, new, words, rounds, scratch):
    """The least of each, and the last exit status of each."""
    best = [float("inf"), float("inf")]
    status = [None, None]
    for _ in range(rounds):
        for which, plumb in enumerate((old, new)):
            used, status[which] = processor_time([plumb, *words], scratch)
            best[which] = min(best[which], used)
    return best, status


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    old, new = (os.path.abspath(p) for p in sys.argv[1:3])
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 7
    differ = False
    print(f"{'old s':>8} {'new s':>8} {'ratio':>6}  command")
    with tempfile.TemporaryDirectory() as scratch:
        for words in commands(old, scratch):
            best, status = compare(old, new, words, rounds, scratch)
            shown = " ".join(os.path.basename(w) for w in words)
            note = "" if status[0] == status[1] else \
                f"  exit status {status[0]}, now {status[1]}"
            differ |= bool(note)
            print(f"{best[0]:8.2f} {best[1]:8.2f} "
                  f"{best[1] / max(best[0], 0.01):6.2f}  {shown}{note}",
                  flush=True)
    sys.exit(differ)


main()
