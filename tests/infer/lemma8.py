#!/usr/bin/env python3
"""lemma8.py PLUMB SEED COUNT

Lemma 8 of Line-Up: if a test fails, so does every test that it is a prefix of.
COUNT random failing tests of at most 4 operations, all preemptions, each with
every operation of its object (or some, where they are countless) appended to
each thread, and as a thread more.  Tests that crash, and tests that could not
be explored to the end, say nothing.  Interrupted, it says what it has seen.
"""
import os
import random
import sys

from exploring import Failed, Plumb

FAILS = ("not linearizable", "deadlock", "livelock", "nondeterministic")
PASSES = ("no violation",)

# Objects that fail, with their invocations.
SETS = ["%s(%d)" % (n, k) for n in ("insert", "delete", "member")
        for k in (1, 2)]
QUEUE, STACK = ["enq(1)", "enq(2)", "deq()"], ["push(1)", "push(2)", "pop()"]
OBJECTS = {
    "counter-race": ["inc()", "dec()", "get()"],
    "counter-kept": ["inc()", "dec()", "get()"],
    "queue-reread": QUEUE,
    "vyukov": QUEUE,
    "buf-ring": QUEUE,
    "buf-ring-full": QUEUE,
    "semiqueue": QUEUE,
    "register-torn": ["write(1)", "write(2)", "read()"],
    "set-no-lock": SETS,
    "lazy-list-no-validation": SETS,
    "lineup-queue-pre": ["enqueue(1)", "try_dequeue()", "is_empty()",
                         "count()", "try_peek()"],
    "lineup-linked-list-pre": ["add_first(1)", "add_last(2)", "remove_first()",
                               "remove_last()", "count()"],
    "lineup-blocking-collection": ["add(1)", "take()", "try_take()", "count()",
                                   "complete_adding()", "is_completed()"],
    "lineup-bag-pre": ["add(10)", "try_take()", "is_empty()", "count()"],
    "lineup-task-completion-source": [
        "try_set_exception(1)", "try_set_result(2)", "exception()", "wait()"],
    "lineup-barrier": ["signal_and_wait()", "participants_remaining()",
                       "remove_participant()", "add_participant()"],
}

# tests/explore/any_program.c: what each letter does stands there.  Not those
# that may use what was freed.
LETTERS = "xXwcCdyYEpPhiHGolunNtTasSefFORWVqIzk"


def draw_program(rng, letters):
    return 'run("%s")' % "".join(
        rng.choice(letters) for _ in range(rng.randrange(1, 4)))


def write(test):
    return " | ".join(" ".join(thread) for thread in test)


class Lemma:
    def __init__(self, plumb, rng, program):
        self.plumb, self.rng, self.program = plumb, rng, program
        self.tried = self.failing = self.extended = self.silent = 0
        self.wrong, self.kinds = 0, {}

    def check(self, obj, test, init):
        results = self.plumb.explore(
            obj, "--spec", "infer", "--preemptions", "all", "--races",
            "ignore", "--timeout", "20", "--test", write(test),
            *(["--init", init] if init else []))[0]
        return results[0]["verdict"]

    def draw(self):
        """An object, a test, and what may be appended to it."""
        rng = self.rng
        sizes = rng.choice(((1, 1), (1, 1), (2, 1), (1, 1, 1), (2, 2), (1, 2)))
        init = ""
        if rng.randrange(3):
            letters = rng.sample(LETTERS, 4)
            obj = self.program
            calls = [draw_program(rng, letters) for _ in range(8)]
            more = [draw_program(rng, letters + rng.sample(LETTERS, 1))
                    for _ in range(2)]
        else:
            obj = rng.choice(sorted(OBJECTS))
            calls = more = OBJECTS[obj]
            if rng.randrange(2):
                init = " ".join(rng.choice(calls)
                                for _ in range(rng.randrange(1, 3)))
                if "take()" in init or "wait" in init or "deq()" in init:
                    init = ""
        test = [[rng.choice(calls) for _ in range(n)] for n in sizes]
        return obj, init, test, more

    def extensions(self, test, more):
        for call in more:
            for thread in range(len(test)):
                yield [ops + [call] * (i == thread)
                       for i, ops in enumerate(test)]
            yield test + [[call]]

    def look(self):
        obj, init, test, more = self.draw()
        self.tried += 1
        verdict = self.check(obj, test, init)
        if verdict not in FAILS:
            return
        self.failing += 1
        self.kinds[verdict] = self.kinds.get(verdict, 0) + 1
        for longer in self.extensions(test, more):
            became = self.check(obj, longer, init)
            self.extended += became in FAILS
            self.silent += became not in FAILS + PASSES
            if became in PASSES:
                self.wrong += 1
                print("wrong: %s --init '%s': %s fails (%s), %s passes" % (
                    os.path.basename(obj), init, write(test), verdict,
                    write(longer)), flush=True)


def compile_program(plumb):
    program = plumb.path("any_program.o")
    plumb.must("cc", "-g", "-fPIC", "-c", os.path.join(
        os.path.dirname(os.path.realpath(__file__)), "..", "explore",
        "any_program.c"), "-o", program)
    return program


def main():
    plumb = Plumb(sys.argv[1])
    seed, count = int(sys.argv[2]), int(sys.argv[3])
    lemma = Lemma(plumb, random.Random(seed), compile_program(plumb))
    while lemma.failing < count:
        try:
            lemma.look()
        except Failed as failure:
            lemma.wrong += 1
            print("wrong:", failure, flush=True)
            if lemma.wrong > 20:
                break
        except KeyboardInterrupt:
            break
    print("seed %d: %d tests, %d of them fail %s; of their extensions %d fail, "
          "%d say nothing: %d not so" % (
              seed, lemma.tried, lemma.failing, lemma.kinds, lemma.extended,
              lemma.silent, lemma.wrong))
    return 1 if lemma.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
