#!/usr/bin/env python3
"""minimal.py PLUMB SEED COUNT

No operation and no thread of a test that --spec infer reports can be left out:
what is left does not fail in the same way within the same preemptions.  COUNT
random failing tests, drawn as in lemma8.py, but larger.
"""
import json
import os
import random
import re
import sys

from exploring import Plumb
from lemma8 import FAILS, Lemma, compile_program

CALL = re.compile(r'\w+\((?:"[^"]*"|[^)])*\)')


def explore(plumb, obj, init, test):
    ran = plumb.run("explore", obj, "--json", "--spec", "infer", "--races",
                    "ignore", "--preemptions", "2", "--timeout", "20",
                    "--test", test, *(["--init", init] if init else []))
    if ran.returncode not in (0, 1, 3):
        return {"verdict": ran.stderr.decode(errors="replace")}
    return json.loads(ran.stdout.splitlines()[0])


def shorter(init, test):
    """Each with one operation less; a thread without operations is none."""
    parts = [CALL.findall(p) for p in [init, *test.split(" | ")]]
    for i, part in enumerate(parts):
        for k in range(len(part)):
            left = [p[:k] + p[k + 1:] if p is part else p for p in parts]
            threads = [" ".join(p) for p in left[1:] if p]
            if threads:
                yield " ".join(left[0]), " | ".join(threads)


def draw(lemma):
    rng = lemma.rng
    obj, init, test, more = lemma.draw()
    calls = [c for thread in test for c in thread] + more
    return obj, init, " | ".join(
        " ".join(rng.choice(calls) for _ in range(rng.randrange(1, 4)))
        for _ in range(rng.randrange(1, 4)))


def main():
    plumb = Plumb(sys.argv[1])
    seed, count = int(sys.argv[2]), int(sys.argv[3])
    lemma = Lemma(plumb, random.Random(seed), compile_program(plumb))
    failing = tried = wrong = 0
    while failing < count:
        obj, *scenario = draw(lemma)
        result = explore(plumb, obj, *scenario)
        verdict = result["verdict"]
        if verdict not in FAILS:
            continue
        failing += 1
        for less in shorter(result.get("init", ""), result["test"]):
            tried += 1
            if explore(plumb, obj, *less)["verdict"] == verdict:
                wrong += 1
                print("wrong: %s %s: %s fails (%s), and so does %s" % (
                    os.path.basename(obj), scenario, result["test"], verdict,
                    less), flush=True)
    print("seed %d: %d tests that fail, %d without one operation: %d fail" % (
        seed, failing, tried, wrong))
    return 1 if wrong or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
