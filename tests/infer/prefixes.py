#!/usr/bin/env python3
"""prefixes.py [-v] PLUMB TELLING_HOST SEED COUNT

A history is stuck as soon as no operation in it can return by itself, though
other threads have calls to make (Line-Up, section 2.3): then it is one of a
shorter test, a prefix, at whose end nobody can go on.  So the shorter tests
say which moments of a test are to be judged: COUNT random tests are explored,
and each of their prefixes, whose executions just run to their end.

- dfs notices in the test what waits at the end of a prefix, and nothing else;
  so does dpor; states nothing else.
- A test fails if one of its prefixes does, and if it fails because operations
  wait, one of its prefixes does.  Also with a specification of the object's
  own.
- With a bound on preemptions all that is noticed is noticed without, and
  states, random and pct, which go through the same moments, say what dfs says,
  or less if they go by chance; dpor says at least as much.
"""
import itertools
import os
import random
import sys

from exploring import Failed, Plumb
from serial_histories import History

WAITS = ("deadlock", "livelock")
MANY, FEW = "20000", "300"  # executions: of all, and of those by chance
HERE = os.path.dirname(os.path.realpath(__file__))

# Operations that wait, spin, choose, or keep locks: tests/explore/any_program.c.
LETTERS = "aaffnnlluuNsSSeeeIIRWVktFxXcCyYrTzq"

# Of the library: its calls, and specifications of its own.
OBJECTS = {
    "lineup-blocking-collection": (
        ["add(1)", "add(2)", "take()", "try_take()", "complete_adding()"],
        ("infer",)),
    "queue-bound": (["enq(1)", "enq(2)", "deq()"], ("infer", "queue:blocking")),
    "lineup-semaphore-slim": (
        ["wait()", "release(1)", "release(2)", "try_wait()"], ("infer",)),
    "lineup-manual-reset-event": (
        ["set()", "wait()", "reset()", "is_set()"], ("infer",)),
    "lineup-manual-reset-event-pre": (
        ["set()", "wait()", "reset()", "is_set()"], ("infer",)),
    "lineup-barrier": (
        ["signal_and_wait()", "remove_participant()",
         "add_participant()"], ("infer",)),
    "counter-kept": (["inc()", "get()"], ("infer", "counter")),
}
SPINNING = (["take()", "put(1)", "put(2)"], ("infer", "queue:blocking"))


def write(test):
    return " | ".join(" ".join(thread) for thread in test)


def prefixes(test):
    """All that are shorter: as they are, and with threads that do nothing."""
    for lengths in itertools.product(*(range(len(t) + 1) for t in test)):
        if any(lengths) and list(lengths) != [len(t) for t in test]:
            yield [t[:n] for t, n in zip(test, lengths)]


def histories(told, endings, wrong):
    """Keys of those that wait, by the names of their threads."""
    return {History(x["operations"]).key() for x in told
            if x["ending"] in endings and not x["fault"] and
            x["wrong"] == wrong and History(x["operations"]).pending()}


def renumbered(key, numbers):
    """Of a test without some of the threads, with the numbers that these have
    in the whole."""
    def name(operation):
        return (numbers[operation[0]], operation[1])
    answers, before = key
    return (tuple(sorted((name(o), a) for o, a in answers)),
            tuple(sorted((name(o), tuple(sorted(map(name, b))))
                         for o, b in before)))


class Comparing:
    def __init__(self, plumb, rng, verbose):
        self.plumb, self.rng, self.verbose = plumb, rng, verbose
        self.tests = self.shorter = self.noticed = self.failing = self.wrong = 0
        self.targets = {}

    def say(self, what):
        self.wrong += 1
        print("wrong: %s: %s" % (" ".join(map(repr, self.about)), what),
              flush=True)

    def build(self, source, *flags):
        name = self.plumb.path("%s.o" % "".join((source, *flags)).replace(
            "/", "-"))
        if name not in self.targets:
            self.plumb.must("cc", "-g", "-fPIC", "-c", os.path.join(
                HERE, "..", "explore", source), "-o", name, *flags)
            self.targets[name] = True
        return name

    def draw(self):
        """An object, its calls, specifications, and a test."""
        rng = self.rng
        kind = rng.randrange(6)
        if kind < 3:
            letters = rng.sample(LETTERS, 5)
            calls = ['run("%s")' % "".join(rng.choices(
                letters, k=rng.randrange(1, 4))) for _ in range(6)]
            obj, specs = self.build("any_program.c"), ("infer",)
        elif kind < 4:
            calls, specs = SPINNING
            obj = self.build("targets/object_spinning_queue.c",
                             *rng.choice(((), ("-DWRONG_CELL",))))
        else:
            obj = rng.choice(sorted(OBJECTS))
            calls, specs = OBJECTS[obj]
        sizes = rng.choice(((1, 1), (1, 1, 1), (2, 1), (2, 2), (2, 1, 1)))
        return obj, rng.choice(specs), \
            [[rng.choice(calls) for _ in range(n)] for n in sizes]

    def explore(self, obj, spec, test, strategy, bound, *more):
        """Verdicts of tests that are too large are "undecided"."""
        by_chance = strategy in ("random", "pct")
        results, told = self.plumb.explore(
            obj, "--spec", spec, "--test", write(test), "--strategy", strategy,
            "--preemptions", bound, "--races", "ignore", "--seed",
            str(self.rng.randrange(1000)), "--executions",
            FEW if by_chance else MANY, *more)
        whole = by_chance or results[0].get("complete", True)
        return results[0]["verdict"] if whole else "undecided", told

    def look_at_prefixes(self, obj, spec, test):
        """The histories that wait at their ends, and whether one fails."""
        waiting, fails = set(), set()
        for shorter in prefixes(test):
            numbers = [i for i, t in enumerate(shorter) if t]
            verdict, told = self.explore(
                obj, spec, [t for t in shorter if t], "dfs", "all", "-k")
            self.shorter += 1
            fails.add(verdict)
            waiting |= {renumbered(key, numbers) for key in
                        histories(told, ("deadlock", "endless"), False)}
        return waiting, fails

    def compare(self):
        obj, spec, test = self.draw()
        self.about = [os.path.basename(obj), spec, write(test)]
        verdict, told = self.explore(obj, spec, test, "dfs", "all", "-k")
        if verdict not in WAITS + ("no violation",):
            return
        waiting, fails = self.look_at_prefixes(obj, spec, test)
        if "undecided" in fails:
            return
        self.tests += 1
        self.failing += verdict in WAITS
        if self.verbose:
            print(verdict, len(waiting), self.about, flush=True)
        whole = histories(told, ("deadlock", "endless"), True)
        should = bool(fails & set(WAITS)) or bool(whole)
        if (verdict in WAITS) != should:
            self.say("dfs: %s, its prefixes %s" % (verdict, fails))
        if verdict in WAITS:
            self.agree(obj, spec, test, True)
            return
        seen = histories(told, ("prefix",), False)
        self.noticed += len(seen)
        # Who is in the first of two operations is at an end of the test.
        ends = histories(told, ("deadlock", "endless"), False)
        waiting |= ends
        if seen | ends != waiting:
            self.say("dfs notices %d histories, the prefixes end in %d: %s" % (
                len(seen), len(waiting), (seen | ends) ^ waiting))
        for strategy in ("dpor", "states"):
            other, told = self.explore(obj, spec, test, strategy, "all", "-k")
            if other == "undecided":
                continue
            some = histories(told, ("prefix", "deadlock", "endless"), False)
            if other != verdict or not some <= waiting or \
                    (strategy == "dpor" and some != waiting):
                self.say("%s: %s, it notices %d of %d histories: %s" % (
                    strategy, other, len(some), len(waiting), some ^ waiting))
        self.agree(obj, spec, test, False)

    def agree(self, obj, spec, test, fails):
        bound = self.rng.choice(("0", "1", "2", "all"))
        verdict = self.explore(obj, spec, test, "dfs", bound)[0]
        if verdict in WAITS and not fails:
            self.say("dfs, bound %s: %s" % (bound, verdict))
        for strategy in ("states", "dpor", "random", "pct"):
            other = self.explore(obj, spec, test, strategy, bound)[0]
            if other in WAITS and not fails:
                self.say("%s, bound %s: %s" % (strategy, bound, other))
            elif strategy == "states" and (other in WAITS) != (
                    verdict in WAITS) and "undecided" not in (other, verdict):
                self.say("states, bound %s: %s, dfs %s" % (
                    bound, other, verdict))
            elif strategy == "dpor" and verdict in WAITS and \
                    other == "no violation":
                self.say("dpor, bound %s: %s, dfs %s" % (bound, other, verdict))


def main():
    arguments = sys.argv[1:]
    verbose = arguments[0] == "-v"
    plumb, host, seed, count = arguments[verbose:]
    c = Comparing(Plumb(plumb, host), random.Random(int(seed)), verbose)
    while c.tests < int(count):
        try:
            c.compare()
        except Failed as failure:
            c.wrong += 1
            print("wrong:", failure, flush=True)
        if c.wrong > 20:
            break
    print("seed %s: %d tests, %d of them fail; %d prefixes, %d histories that "
          "wait while there are calls to make: %d not so" % (
              seed, c.tests, c.failing, c.shorter, c.noticed, c.wrong))
    return 1 if c.wrong or not c.noticed else 0


sys.exit(main())
