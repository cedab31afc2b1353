#!/usr/bin/env python3
"""restoring.py PLUMB SEED COUNT

plumb goes back by restoring what it kept of a moment.  COUNT times, random tests
of a random object are run by repeating all steps instead, and in both ways,
which plumb compares at each step back: no internal error, and the same results.
Every other time this is the serial phase, whose result is observation files;
else a strategy with a bound, whose result is what --json prints.
"""
import os
import random
import re
import shutil
import sys

from exploring import BOUNDS, STRATEGIES, Plumb

HERE = os.path.dirname(os.path.realpath(__file__))

# Operations that allocate, wait, spin, choose, keep locks, start threads or use
# thread-locals: tests/explore/any_program.c.
LETTERS = "xXwcCdyYEpPhiHGbBorlunNtTasSefFORWVqIzk"
EXECUTIONS = "1000"


class Comparing:
    def __init__(self, plumb, rng):
        self.plumb, self.rng = plumb, rng
        self.any = plumb.path("any_program.o")
        plumb.must("cc", "-g", "-fPIC", "-c", os.path.join(
            HERE, "..", "explore", "any_program.c"), "-o", self.any)
        self.objects = [o["name"] for o in plumb.objects()
                        if "segment" not in o.get("specification", "")]
        self.runs = self.searches = self.tests = self.wrong = 0

    def draw_calls(self):
        letters = self.rng.sample(LETTERS, 8)
        return ['run("%s")' % "".join(self.rng.choices(
            letters, k=self.rng.randrange(1, 5))) for _ in range(6)]

    def draw_samples(self, samples):
        rng = self.rng
        return ["--threads", rng.choice("233"), "--ops", rng.choice("123"),
                "--samples", samples, "--seed", str(rng.randrange(10 ** 6))]

    def draw_serial(self):
        rng = self.rng
        options = self.draw_samples("20") + [
            "--spec", "infer", "--strategy", "dfs", "--preemptions", "0",
            "--executions", "1", "--observations", self.plumb.path("observed")]
        if not rng.randrange(3):
            return rng.choice(self.objects), options
        calls = self.draw_calls()
        if rng.randrange(2):
            options += ["--init", rng.choice(calls)]
        return self.any, options + ["--sequence", "; ".join(calls)]

    def draw_search(self):
        rng = self.rng
        options = ["--strategy", rng.choice(STRATEGIES),
                   "--preemptions", rng.choice(BOUNDS),
                   "--races", rng.choice(("report", "interleave", "ignore")),
                   "--executions", EXECUTIONS, "--json"]
        if not rng.randrange(4):
            options += ["--spec", "infer"]
        if rng.randrange(2):
            return rng.choice(self.objects), options + self.draw_samples("3")
        calls = self.draw_calls()
        threads = [" ".join(rng.choices(calls, k=rng.randrange(1, 3)))
                   for _ in range(rng.randrange(2, 4))]
        return self.any, options + ["--spec", "infer", "--test",
                                    " | ".join(threads)]

    def run(self, how, obj, options):
        """What it prints, and by name what it observed."""
        folder = self.plumb.path("observed")
        for old in (folder, self.plumb.path(".plumb")):
            shutil.rmtree(old, ignore_errors=True)
        ran = self.plumb.run("explore", obj, "-k", "--no-minimise",
                             "--backtrack", how, *options)
        observed = {}
        for name in os.listdir(folder) if os.path.isdir(folder) else ():
            with open(os.path.join(folder, name), "rb") as f:
                observed[name] = f.read()
        said = [line for line in ran.stderr.decode(errors="replace").split("\n")
                if "note:" not in line]
        if "--json" in options:  # those of steps done twice are counted twice
            said += re.sub(r'"failed_swaps":\d+,', "",
                           ran.stdout.decode(errors="replace")).split("\n")
        return ran.returncode, said, observed

    def compare(self):
        searches = self.runs % 2
        obj, options = self.draw_search() if searches else self.draw_serial()
        options += ["--reuse", self.rng.choice(("at-once", "never", "choice"))]
        repeated = self.run("repeat", obj, options)
        restored = self.run("restore", obj, options)
        both = self.run("both", obj, options)
        self.runs += 1
        self.tests += len(both[2])
        self.searches += searches
        if repeated != restored or restored != both or repeated[0] == 2:
            self.wrong += 1
            print("wrong: %s %s: %s, %s, %s; observed the same: %s" % (
                os.path.basename(obj), " ".join(map(repr, options)),
                repeated[:2], restored[:2], both[:2],
                repeated[2] == restored[2] == both[2]), flush=True)


def main():
    plumb, seed, count = sys.argv[1:]
    c = Comparing(Plumb(plumb), random.Random(int(seed)))
    while c.runs < int(count) and c.wrong < 20:
        c.compare()
    print("seed %s: %d objects, %d with a strategy, %d tests observed: "
          "%d not the same" % (seed, c.runs, c.searches, c.tests, c.wrong))
    return 1 if c.wrong or not c.tests else 0


sys.exit(main())
