#!/usr/bin/env python3
"""plain.py [-v] PLUMB TELLING_HOST SEED COUNT

The minimal automaton of the serial histories, against their plain list: COUNT
random 2x2 and 3x2 tests of each object, and with -v one of 3x3, explored with
either (plain_list.c).  dfs and dpor see the same executions and say the same of
each; states has the same verdict, and visits fewer states.  -v: how many.
"""
import random
import sys

from exploring import BOUNDS, Failed, Plumb

OBJECTS = {
    "queue-coarse": (["enq(1)", "enq(2)", "enq(3)", "deq()"], ""),
    "queue-unbound": (["enq(1)", "enq(2)", "deq()"], ""),
    "queue-reread": (["enq(1)", "enq(2)", "deq()"], ""),
    "treiber": (["push(1)", "push(2)", "pop()"], "push(3)"),
    "set-no-lock": (["insert(1)", "delete(1)", "member(1)", "insert(2)"], ""),
    "counter-kept": (["inc()", "dec()", "get()"], ""),
    "lineup-manual-reset-event-pre": (["set()", "wait()", "reset()",
                                       "is_set()"], ""),
    "lineup-semaphore-slim": (["wait()", "release(1)", "release(2)",
                               "try_wait()", "current_count()"], ""),
    "lineup-blocking-collection": (["add(1)", "take()", "try_take()",
                                    "count()", "complete_adding()"], ""),
}


class Comparing:
    def __init__(self, plumb, verbose):
        self.plumb, self.verbose = plumb, verbose
        self.runs = self.executions = self.wrong = self.stuck = 0
        self.states = [0, 0]
        self.positions = [0, 0]

    def explore(self, plain, *words):
        self.plumb.environment.pop("PLAIN_LIST", None)
        if plain:
            self.plumb.environment["PLAIN_LIST"] = "1"
        results, told = self.plumb.explore(*words)
        return results[0], told

    def compare(self, obj, test, init, strategy, bound, *more):
        words = [obj, "--spec", "infer", "--test", test, "--strategy",
                 strategy, "--preemptions", bound, "--races", "ignore", *more]
        words += ["--init", init] if init else []
        if strategy != "states":
            words += ["-k", "--executions", "1000"]
        (mine, seen), (plain, told) = (self.explore(p, *words)
                                       for p in (False, True))
        self.runs += 1
        self.executions += len(seen)
        self.stuck += sum(x["ending"] in ("deadlock", "endless") for x in seen)
        if mine["verdict"] != plain["verdict"] or \
                (strategy != "states" and seen != told):
            self.wrong += 1
            print("wrong: %s: %s, with the plain list %s" % (
                " ".join(map(repr, words)), mine["verdict"], plain["verdict"]))
        if mine["verdict"] == "no violation" and strategy == "states":
            self.count(obj, test, mine, plain)

    def count(self, obj, test, *either):
        for i, result in enumerate(either):
            self.states[i] += result["states"]
            self.positions[i] += result["serial"]["positions"]
        if self.verbose:
            print("%-30s %6d of %6d positions, %8d of %8d states   %s" % (
                obj, *(r["serial"]["positions"] for r in either),
                *(r["states"] for r in either), test), flush=True)


def draw(rng, calls, threads, ops):
    return " | ".join(" ".join(rng.choice(calls) for _ in range(ops))
                      for _ in range(threads))


def main():
    arguments = sys.argv[1:]
    verbose = arguments[0] == "-v"
    plumb, host, seed, count = arguments[verbose:]
    rng = random.Random(int(seed))
    c = Comparing(Plumb(plumb, host), verbose)
    for obj, (calls, init) in OBJECTS.items():
        for i in range(int(count)):
            test = draw(rng, calls, 2 + i % 2, 2)
            try:
                c.compare(obj, test, init, rng.choice(("dfs", "dpor")),
                          rng.choice(BOUNDS))
                c.compare(obj, test, init, "states", rng.choice(BOUNDS))
                if verbose and not i:
                    c.compare(obj, draw(rng, calls, 3, 3), init, "states", "2",
                              "--timeout", "600")
            except Failed as failure:
                c.wrong += 1
                print("wrong:", failure)
    print("seed %s: %d tests, %d executions, %d of them stuck; %d of %d "
          "positions, %d of %d states: %d not so" % (
              seed, c.runs, c.executions, c.stuck, *c.positions, *c.states,
              c.wrong))
    return 1 if c.wrong or c.states[0] > c.states[1] else 0


sys.exit(main())
