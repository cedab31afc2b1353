#!/usr/bin/env python3
"""library.py [-v] PLUMB [OBJECT...]

The object library without its specifications: `plumb explore OBJECT --spec
infer` finds what is marked as a violation, stuck or weak, and finds nothing in
what is marked as linearizable, but for the exceptions that docs/infer.md lists.
Whatever is found is a fault of the object as a whole: its serial runs are what
it is compared with.
"""
import sys
import time

from exploring import RELAXED, Plumb

# No fault, or one that any exploration finds.
PASSES = ("no violation",)


def explore(plumb, about, *options):
    began = time.time()
    results = plumb.explore(about["name"], "--spec", "infer", "--timeout",
                            "300", *options)[0]
    return results[0]["verdict"], time.time() - began


def own_test(about):
    options = ["--test", about["scenario"]]
    for part in ("init", "final"):
        if part in about:
            options += ["--" + part, about[part]]
    return options


def runs(about, fails):
    """One that fails does so in tests that nobody chose; one that passes, in
    its own test and some that are small."""
    if fails:
        return [[]]
    return [own_test(about), ["--samples", "20", "--threads", "2", "--ops",
                              "2", "--executions", "20000"]]


def main():
    arguments = sys.argv[1:]
    verbose = arguments[0] == "-v"
    plumb, names = Plumb(arguments[verbose]), arguments[verbose + 1:]
    wrong = count = 0
    for about in plumb.objects():
        if names and about["name"] not in names:
            continue
        # As docs/infer.md says, with the exceptions.
        fails = (about["expect"] != "linearizable" or
                 bool(RELAXED.match(about["spec"])))
        for options in runs(about, fails):
            verdict, seconds = explore(plumb, about, *options)
            count += 1
            right = (verdict in PASSES) != fails
            wrong += not right
            if verbose or not right:
                print("%s%s %s: %s, %s in %.1f s" % (
                    "" if right else "wrong: ", about["name"],
                    " ".join(options), about["expect"], verdict, seconds),
                    flush=True)
    print("%d runs, %d not so" % (count, wrong))
    return 1 if wrong or not count else 0


sys.exit(main())
