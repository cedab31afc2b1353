#!/usr/bin/env python3
"""executions.py PLUMB TELLING_HOST SEED SAMPLES [OBJECT...]

Is every execution that --spec infer explores judged as Definitions 1 to 3 of
Line-Up say, at the event at which it becomes wrong?

Random tests of each object of the library, SAMPLES of each shape, with a random
strategy and bound, and with all of them every fourth time.  The serial
histories of phase 1 are read from the observation files, and each execution of
phase 2, those that are stuck too, is compared with all of them by enumeration
(serial_histories.py).  Where the object has a specification of its own that is
deterministic and that its serial runs satisfy, the same tests are explored with
that, and the same is asked of what it said.

any_program stands for random programs (tests/explore/any_program.c), which wait,
choose, start threads and use freed memory as they like.
"""
import os
import random
import sys

from exploring import (BOUNDS, RELAXED, STRATEGIES, Failed, Plumb,
                       read_observations)

SHAPES = ((2, 1), (2, 2), (3, 1), (2, 3), (3, 2))
MOST_SHOWN = 40
MANY = 200  # executions of a test, times SAMPLES

LETTERS = "xXwcCdyYEpPhiHGbBorlunNtTasSefFORWVqIzk"


class Comparing:
    def __init__(self, plumb, rng, samples):
        self.plumb, self.rng, self.samples = plumb, rng, samples
        self.tests = self.runs = self.executions = self.wrong = 0
        self.failing = self.stuck = self.unread = self.given = 0
        self.verdicts = {}

    def say(self, obj, options, test, what):
        self.wrong += 1
        if self.wrong > MOST_SHOWN:
            return
        print("wrong: %s %s --init '%s' --test '%s' --final '%s': %s" % (
            obj, " ".join(options), *test, what), flush=True)

    def judge(self, obj, options, told, judges):
        for execution in told:
            test = tuple(execution["test"])
            if test not in judges:
                self.unread += 1
                continue
            self.executions += 1
            self.failing += execution["wrong"]
            self.stuck += execution["ending"] in ("deadlock", "endless")
            objection = judges[test].objects_to(execution)
            if objection:
                self.say(obj, options, test, "%s: %s" % (objection, execution))

    def explore(self, obj, folder, options, given):
        """The same tests once more; given: with its own specification."""
        options = [*options, "-k", "--races", "ignore", "--timeout", "60",
                   "--executions", str(MANY * self.samples)]
        if not given:
            options += ["--spec", "infer", "--observations", folder]
        results, told = self.plumb.explore(obj, *options)
        judges = read_observations(folder)
        self.runs += 1
        self.judge(obj, options, told, judges)
        for result in results:
            verdict = result["verdict"]
            self.verdicts[verdict] = self.verdicts.get(verdict, 0) + 1
        return results, told, judges

    def compare_given(self, obj, judge, folder, how):
        """Both see the same executions, where no states are merged."""
        init, test, final = judge.observed.test
        options = [*how, "--test", test]
        options += ["--init", init] if init else []
        options += ["--final", final] if final else []
        file = folder + "-one"
        mine, seen, judges = self.explore(obj, file, options, False)
        if not judges:
            return
        results, told, _ = self.explore(obj, file, options, True)
        self.given += 1
        # That operations never return may be a doubt, with a specification.
        if "undecided" != results[0]["verdict"] != mine[0]["verdict"]:
            self.say(obj, options, judge.observed.test, "infer: %s, given: %s"
                     % (mine[0]["verdict"], results[0]["verdict"]))
        if "states" not in how and seen != told:
            self.say(obj, options, judge.observed.test,
                     "its own specification sees other executions")

    def compare(self, about, number):
        obj = about["name"]
        for shape, (threads, ops) in enumerate(SHAPES):
            folder = self.plumb.path("%s-%d-%d" % (obj, number, shape))
            options = ["--threads", str(threads), "--ops", str(ops),
                       "--samples", str(self.samples),
                       "--seed", str(self.rng.randrange(1000))]
            if "init" in about and self.rng.randrange(3):
                options += ["--init", about["init"]]
            hows = [["--strategy", s, "--preemptions", b]
                    for s in STRATEGIES for b in BOUNDS]
            self.rng.shuffle(hows)
            for how in hows if self.rng.randrange(4) == 0 else hows[:1]:
                judges = self.explore(obj, folder, options + how, False)[2]
            self.tests += len(judges)
            own = about.get("spec", "infer")
            if own == "infer" or RELAXED.match(own):
                continue
            for i, judge in enumerate(list(judges.values())[:3]):
                if judge.observed.is_deterministic():
                    self.compare_given(obj, judge, "%s-%d" % (folder, i),
                                       self.rng.choice(hows))


    def compare_programs(self, count):
        rng, obj = self.rng, self.plumb.path("any_program.o")
        self.plumb.must("cc", "-g", "-fPIC", "-c", os.path.join(
            os.path.dirname(os.path.realpath(__file__)), "..", "explore",
            "any_program.c"), "-o", obj)
        for i in range(count):
            letters = rng.sample(LETTERS, 5)
            threads = rng.choice((1, 2, 2, 3))
            test = " | ".join(" ".join(
                'run("%s")' % "".join(rng.choices(letters,
                                                  k=rng.randrange(1, 4)))
                for _ in range(rng.randrange(1, 3))) for _ in range(threads))
            options = ["--test", test, "--strategy", rng.choice(STRATEGIES),
                       "--preemptions", rng.choice(BOUNDS)]
            if rng.randrange(3) == 0:
                options += ["--init", 'run("%s")' % rng.choice("eSXYP")]
            self.tests += 1
            self.explore(obj, self.plumb.path("any%d.xml" % i), options, False)


def main():
    plumb = Plumb(sys.argv[1], sys.argv[2])
    seed, samples, names = int(sys.argv[3]), int(sys.argv[4]), sys.argv[5:]
    c = Comparing(plumb, random.Random(seed), samples)
    for number, about in enumerate(plumb.objects()):
        if names and about["name"] not in names:
            continue
        try:
            c.compare(about, number)
        except Failed as failure:
            c.wrong += 1
            print("wrong:", failure)
    if not names or "any_program" in names:
        c.compare_programs(50 * samples)
    print("seed %d: %d tests, %d runs, %d executions, %d of them wrong and %d "
          "stuck, %d runs with the object's own specification, %d executions "
          "without serial histories, %s: %d not so" % (
              seed, c.tests, c.runs, c.executions, c.failing, c.stuck, c.given,
              c.unread, c.verdicts, c.wrong))
    return 1 if c.wrong or not c.executions else 0


sys.exit(main())
