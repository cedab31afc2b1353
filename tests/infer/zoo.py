#!/usr/bin/env python3
"""zoo.py PLUMB TELLING_HOST SEED COUNT

Random tests of targets/zoo.c: are the serial histories of phase 1 those of a
plain sequential model, are they called nondeterministic when they are, and is
each execution of phase 2 judged as the definitions say?
"""
import os
import random
import sys

from exploring import BOUNDS, STRATEGIES, Failed, Plumb
from serial_histories import STUCK, Judge, Observed, write_answer, write_value

ROOM = 2


class State:
    """Of the object; copied by every operation."""

    def __init__(self):
        self.count, self.owner, self.flag = 0, None, 0
        self.items, self.said = (), ""

    def copy(self, **changes):
        other = State()
        other.__dict__.update(self.__dict__)
        other.__dict__.update(changes)
        return other


def run(s, process, name, args, anywhere):
    """All outcomes of an operation: (answer, state), or (STUCK, None).

    anywhere: answers that operations may give at any time, without effect."""
    outcomes = act(s, process, name, args) or [(STUCK, None)]
    return outcomes + [(anywhere[name], s)] if name in anywhere else outcomes


def act(s, process, name, args):
    """What it does; nothing: it waits."""
    def may(holds, after, term="", *results):
        return [(write_answer(term, results), after)] if holds else []
    if name == "post":
        return may(True, s.copy(count=s.count + 1))
    if name == "wait":
        return may(s.count, s.copy(count=s.count - 1))
    if name in ("try_wait", "timed_wait"):
        return may(s.count, s.copy(count=s.count - 1), "", True) or \
            may(True, s, "", False)
    if name == "lock":
        return may(s.owner is None, s.copy(owner=process))
    if name == "timed_lock":
        return may(s.owner is None, s.copy(owner=process)) or \
            may(True, s, "late")
    if name == "unlock":
        return may(s.owner == process, s.copy(owner=None)) or \
            may(True, s, "not mine")
    if name == "put":
        return may(len(s.items) < ROOM, s.copy(items=s.items + (args[0],)))
    if name in ("take", "timed_take"):
        if s.items:
            return may(True, s.copy(items=s.items[1:]), "", s.items[0])
        return may(name == "timed_take", s, "empty")
    if name == "look":
        shown = (s.items + (-1,) * 10)[:10]
        return may(True, s, "items", *shown, len(s.items) == ROOM)
    if name == "say":
        return may(True, s.copy(said=args[0]), "", s.said)
    if name == "spin":
        return may(s.flag, s)
    if name == "set":
        return may(True, s.copy(flag=1 - s.flag), "", s.flag)
    assert name == "coin"
    return [(write_answer("", [side]), s) for side in (0, 1)]


def serial_histories(init, threads, final, anywhere):
    """Threads change only between operations; what waits ends it."""
    found = set()

    def go_on(state, so_far, left, places):
        if not any(left):
            found.add(so_far)
        for process, operations in enumerate(left):
            if not operations:
                continue
            call, after = operations[0], list(left)
            after[process] = operations[1:]
            operation = (process, places[process])
            # Init and final are one thread more.
            done = len(so_far)
            outcomes = run(state, process if len(init) <= done < end else -1,
                           *call, anywhere)
            moved = list(places)
            moved[process] += 1
            for answer, next_state in outcomes:
                longer = so_far + ((operation, answer),)
                if answer == STUCK:
                    found.add(longer)
                else:
                    step(next_state, longer, after, moved)

    def step(state, so_far, left, places):
        if any(left) or phase[len(so_far)] is None:
            go_on(state, so_far, left, places)
        else:
            go_on(state, so_far, phase[len(so_far)], places)

    # After so many operations begins what comes next.
    first = [list(init)] + [[] for _ in threads[1:]]
    last = [list(final)] + [[] for _ in threads[1:]]
    middle = [list(t) for t in threads]
    end = len(init) + sum(map(len, threads))
    phase = [None] * (end + len(final) + 1)
    if final:
        phase[end] = last
    if any(middle):
        phase[len(init)] = middle
    places = [0] * len(threads)
    step(State(), (), first, places) if init else \
        step(State(), (), [[] for _ in threads], places)
    return found


def is_deterministic(histories, names, anywhere):
    """No two part after a call, but for what may be answered anywhere."""
    outcome = {}
    for history in histories:
        for i, (operation, answer) in enumerate(history):
            if answer == anywhere.get(names[operation]):
                continue
            if outcome.setdefault((history[:i], operation), answer) != answer:
                return False
    return True


# A coin is in few of them.
NAMES = ("post wait try_wait timed_wait lock timed_lock unlock put take "
         "timed_take look say spin set").split()
CHANCE = ("random", "pct")
MORE = ((), (), ("--races", "interleave"), ("--reuse", "choice"),
        ("--reuse", "never"), ("--random", "3"), ("--no-pruning",),
        ("--no-fairness",), ("-j", "2"))
WORDS = ("a", "b", "", '"', "\\", "<&>", "]]>", "-->", "a,b)", "\x7f", "é")


def draw_call(rng, names):
    name = rng.choice(names)
    if name == "put":
        return name, (rng.randrange(1, 3),)
    if name == "say":
        return name, (rng.choice(WORDS[:2] if rng.randrange(2) else WORDS),)
    return name, ()


def draw_test(rng):
    """Few kinds of operations, so that they meet."""
    names = rng.sample(NAMES, rng.randrange(1, 5))
    if rng.randrange(12) == 0:
        names.append("coin")
    threads = rng.choice((1, 2, 2, 3, 3, 4))
    most = {1: 5, 2: 3, 3: 2, 4: 1}[threads]
    return ([draw_call(rng, names) for _ in range(rng.choice((0, 0, 1, 2)))],
            [[draw_call(rng, names) for _ in range(rng.randrange(1, most + 1))]
             for _ in range(threads)],
            [draw_call(rng, names) for _ in range(rng.choice((0, 0, 1, 2)))])


def draw_anywhere(rng):
    """Mostly what it answers sometimes, too."""
    if rng.randrange(3):
        return {}
    names = rng.sample(NAMES, rng.randrange(1, 4))
    usual = {"try_wait": "false", "timed_wait": "false", "timed_lock": "late",
             "timed_take": "empty", "set": "0", "take": "1"}
    return {n: rng.choice((usual.get(n, ""), "no", "17")) for n in names}


def write_text(word):
    if not isinstance(word, str):
        return str(word)
    return '"%s"' % word.replace("\\", "\\\\").replace('"', '\\"')


def write_calls(calls):
    return " ".join("%s(%s)" % (n, ", ".join(map(write_text, a)))
                    for n, a in calls)


def latin(calls):
    """Texts as bytes, as the observation file has them."""
    return [(n, tuple(a.encode().decode("latin-1") if isinstance(a, str) else a
                      for a in args)) for n, args in calls]


class Comparing:
    def __init__(self, plumb, rng):
        self.plumb, self.rng = plumb, rng
        self.wrong = self.histories = self.executions = self.stuck = 0
        self.violations = self.nondeterministic = self.unread = 0

    def say(self, options, what):
        self.wrong += 1
        if self.wrong < 4:
            print("wrong: %s %s: %s" % (
                os.path.basename(self.obj), " ".join(map(repr, options)), what),
                flush=True)

    def compare(self, obj, file):
        self.obj = obj
        init, threads, final = draw_test(self.rng)
        options = ["--test", " | ".join(map(write_calls, threads))]
        options += ["--init", write_calls(init)] if init else []
        options += ["--final", write_calls(final)] if final else []
        options += ["--strategy", self.rng.choice(STRATEGIES * 2 + CHANCE),
                    "--preemptions", self.rng.choice(BOUNDS), "--executions",
                    "300", *self.rng.choice(MORE)]
        # Init is the same in all executions, whatever it may answer.
        anywhere = draw_anywhere(self.rng)
        for name, _ in init:
            anywhere.pop(name, None)
        if anywhere:
            options += ["--nondet", ",".join(
                "%s=%s" % (n, a or "ok") for n, a in anywhere.items())]
        results, told = self.plumb.explore(
            obj, *options, "-k", "--spec", "infer", "--timeout", "60",
            "--observations", file)
        expected = serial_histories(latin(init), list(map(latin, threads)),
                                    latin(final), anywhere)
        if not os.path.exists(file):
            self.unread += 1
            self.say(options, "no observations: %s" % results)
            return
        observed = Observed(file)
        self.histories += len(expected)
        if expected != set(observed.histories):
            self.say(options, "serial histories differ: only model %s, only "
                     "file %s" % (list(expected - set(observed.histories))[:3],
                                  list(set(observed.histories) - expected)[:3]))
            return
        differs = results[0]["verdict"] == "nondeterministic"
        self.nondeterministic += differs
        names = {o: name for o, (name, _) in observed.called.items()}
        if differs == is_deterministic(expected, names, anywhere):
            self.say(options, "the verdict is " + results[0]["verdict"])
        self.judge(options, observed, told)
        if self.rng.randrange(4) == 0:
            self.read_again(obj, options, file, observed, results)

    def read_again(self, obj, options, file, observed, results):
        """What is read from the file is what was run."""
        again, told = self.plumb.explore(
            obj, *options, "-k", "--spec", "infer", "--timeout", "60",
            "--observations", file)
        if [r["verdict"] for r in again] != [r["verdict"] for r in results]:
            self.say(options, "with the file, the verdict is " +
                     again[0]["verdict"])
        self.judge(options, observed, told)

    def judge(self, options, observed, told):
        judge = Judge(observed)
        for execution in told:
            self.executions += 1
            self.stuck += execution["ending"] in ("deadlock", "endless")
            self.violations += execution["wrong"]
            objection = judge.objects_to(execution)
            if objection:
                self.say(options, "%s: %s" % (objection, execution))


def main():
    plumb = Plumb(sys.argv[1], sys.argv[2])
    seed, count = int(sys.argv[3]), int(sys.argv[4])
    c = Comparing(plumb, random.Random(seed))
    source = os.path.join(os.path.dirname(os.path.realpath(__file__)),
                          "targets", "zoo.c")
    objects = plumb.path("zoo.o"), plumb.path("faulty-zoo.o")
    for obj, flags in zip(objects, ((), ("-DFAULTS",))):
        plumb.must("cc", "-g", "-fPIC", "-c", *flags, source, "-o", obj)
    for i in range(count):
        try:
            c.compare(c.rng.choice(objects), plumb.path("%d.xml" % i))
        except Failed as failure:
            c.wrong += 1
            print("wrong:", failure)
    print("seed %d: %d tests, %d of them nondeterministic, %d without "
          "observations, %d serial histories, %d executions, %d of them stuck "
          "and %d wrong: %d not so" % (
              seed, count, c.nondeterministic, c.unread, c.histories,
              c.executions, c.stuck, c.violations, c.wrong))
    return 1 if c.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
