#!/usr/bin/env python3
"""corners.py [-a] PLUMB

Objects, answers, limits and files that are easily got wrong: each has the
verdict that stands here, no matter how often it is asked and whether phase 1
was run or read.  -a: all of them, not a sample.
"""
import os
import random
import re
import subprocess
import sys
import time

from exploring import Plumb

FOLDER = os.path.join(os.path.dirname(os.path.realpath(__file__)), "targets")

# What an answer is alone, and while another call is open: they differ, however
# alike they look in a file.
HOSTILE = (
    ('plumb_return(i, 1)', 'plumb_term(i, "1")'),
    ('plumb_return(i, -1)', 'plumb_term(i, "-1")'),
    ('plumb_return_bool(i, true)', 'plumb_term(i, "true")'),
    ('plumb_term(i, "false")', 'plumb_return_bool(i, false)'),
    ('plumb_return_text(i, "a")', r'plumb_term(i, "\"a\"")'),
    ('(plumb_term(i, "x"), plumb_return(i, 1))', 'plumb_term(i, "x(1)")'),
    ('plumb_return(i, 7)', r'plumb_term(i, "\" result=\"7")'),
    (r'plumb_term(i, "\x01-->\xff\"<&\\")', 'plumb_term(i, "-->")'),
    (r'plumb_return_text(i, "]]>\x7f\\")', r'plumb_return_text(i, "]]>\\x7f")'),
    ('plumb_return_text(i, "")', '(void)0'),
    ('plumb_term(i, "a, b")', '(plumb_term(i, "a"), plumb_term(i, "b"))'),
)

# Verdict or error, and options, of targets/odd.c.
TWICE = " | ".join(["inc()"] * 2)
ODD = (
    ("no violation", "--test", "inc()"),
    ("no violation", "--test", TWICE, "--init", "inc()", "--final", "inc()"),
    ("no violation", "--test", " ".join(["inc()"] * 64)),
    ("more than 64 operations", "--test", " ".join(["inc()"] * 65)),
    ("more than 16 threads", "--test", " | ".join(["inc()"] * 17)),
    ("no operation given", "--test", ""),
    ("this thread has no operation", "--test", "inc() |"),
    ("undecided", "--test", "forever() | inc()"),
    ("crash", "--test", "crash() | inc()"),
    ("crash", "--test", "inc()", "--init", "inc() crash()"),
    ("crash", "--test", "inc()", "--final", "crash()"),
    ("abort", "--test", "quit() | inc()"),
    ("assertion failed", "--test", "fail() | inc()"),
    ("pthread_exit: ending the thread of an operation", "--test",
     "part() | inc()"),
    ("pthread_exit: ending the thread of an operation", "--test", "inc()",
     "--init", "part() part()"),
    ("no violation", "--test", "many()"),
    ("more than 100 results", "--test", "many() | inc()"),
    ("no violation", "--test", "long_text()"),
    ("exceed 255 bytes", "--test", "long_text() | inc()"),
    ("longer than 23 bytes", "--test", "long_term() | inc()"),
    ("no violation", "--test", "keep() keep()"),
    ("not linearizable", "--test", "keep() | keep()", "--races", "interleave"),
    ("nondeterministic", "--test", "flips()"),
    ("nondeterministic", "--test", "inc()", "--init", "flips()"),
    ("nondeterministic", "--test", "inc()", "--final", "flips()"),
    ("no violation", "--test", TWICE, "--nondet", "flips=0"),
    ("undecided", "--test", "inc() inc()", "--steps", "1"),
    ("Compared with more than 10^19 serial histories",
     "--test", " | ".join([" ".join(["inc()"] * 21)] * 3), "--strategy",
     "random", "--executions", "1"),
    ("deq: the object has no operation", "--test", "inc()", "--names", "deq=x"),
    ("expected OPERATION=NAME", "--test", "inc()", "--names", "inc="),
    ("no effect with --auto", "--auto", "--samples", "3"),
    ("--sequence: nothing is given", "--sequence", " ; "),
    ("--nondet: nothing is given", "--test", "inc()", "--nondet", ""),
    ("already; it can have one", "--test", "inc()", "--nondet", "inc=1,inc=2"),
    ("is no answer", "--test", "inc()", "--nondet", "inc=9223372036854775808"),
)


class Corners:
    def __init__(self, plumb):
        self.plumb, self.wrong, self.count = plumb, 0, 0

    def expect(self, holds, *what):
        self.count += 1
        self.wrong += not holds
        if not holds:
            print("wrong:", *what, flush=True)

    def compile(self, source, name, *flags):
        to = self.plumb.path(name)
        self.plumb.must("cc", "-g", "-fPIC", "-c", *flags,
                        os.path.join(FOLDER, source), "-o", to)
        return to

    def ask(self, obj, *options):
        ran = self.plumb.run("explore", obj, "--spec", "infer", "--races",
                             "ignore", "--preemptions", "2", *options)
        return ran.returncode, (ran.stdout + ran.stderr).decode(
            errors="replace")

    def hostile_answers(self, every):
        for i, (good, bad) in list(enumerate(HOSTILE))[::every]:
            obj = self.compile("busy.c", "busy%d.o" % i, "-DGOOD=" + good,
                               "-DBAD=" + bad)
            file = self.plumb.path("busy%d.xml" % i)
            for test in ("hit() | hit()", "hit()"):
                for _ in "run", "read":
                    _, said = self.ask(obj, "--test", test, "--observations",
                                       file + str(len(test)))
                    wanted = "not linearizable" if "|" in test else \
                        "no violation"
                    self.expect(": %s" % wanted in said, good, bad, test, said)
                lint = subprocess.run(["xmllint", "--noout",
                                       file + str(len(test))],
                                      stderr=subprocess.PIPE, check=False)
                self.expect(lint.returncode == 0, good, lint.stderr)

    def odd_objects(self, every):
        obj = self.compile("odd.c", "odd.o")
        for wanted, *options in ODD[::every]:
            status, said = self.ask(obj, *options)
            self.expect(wanted in said and "nternal" not in said and
                        status in (0, 1, 2, 3), options, wanted, status, said)

    def hostile_names(self):
        obj = self.compile("names.c", "names.o")
        file = self.plumb.path("names.xml")
        for _ in "run", "read":
            for bad, wanted in ("x&y-->é", "not linearizable"), \
                    ("a<b", "no violation"):
                _, said = self.ask(obj, "--test", "a<b() | %s()" % bad,
                                   "--observations", file + wanted)
                self.expect(": " + wanted in said, bad, said)

    def what_it_is(self):
        for obj, test, what in (
                ("queue-unbound", "enq(1) deq() | deq()", "queue:blocking"),
                ("queue-coarse", "enq(1) deq() | deq()", "queue"),
                ("counter-lock", "inc() get() | dec()", "counter")):
            _, said = self.ask(obj, "--test", test)
            said = " ".join(said.split())
            self.expect("Behaves as %s " % what in said, obj, test, said)

    def waiting_and_nondet(self):
        """That it may answer at any time does not mean that it must."""
        obj = self.compile("zoo.c", "zoo.o")
        for test in "wait() | wait()", "take() | look()", "spin() | spin()":
            name = test.split("(")[0]
            _, said = self.ask(obj, "--test", test, "--nondet", name + "=17",
                               "--require-complete")
            self.expect(": no violation in" in said, test, said)

    def damaged_files(self, times):
        rng = random.Random(1)
        file = self.plumb.path("whole.xml")
        for obj, test in (("queue-unbound", "enq(1) deq() | deq()"),
                          ("counter-race", "inc() get() | inc()")):
            options = ["--test", test, "--observations", file, "-q"]
            whole = self.ask(obj, *options)
            with open(file, "rb") as f:
                data = f.read()
            for _ in range(times):
                damaged = bytearray(data)
                at = rng.randrange(len(data))
                damaged[at] ^= 1 << rng.randrange(8)
                if rng.randrange(4) == 0:
                    del damaged[at:]
                with open(file, "wb") as f:
                    f.write(damaged)
                status, said = self.ask(obj, *options)
                self.expect((status, said) == whole or (
                    status == 2 and re.match(r".*/whole.xml:\d+: ", said)),
                    obj, bytes(damaged), status, said)
            os.remove(file)

    def limits_in_phase_1(self):
        obj = self.plumb.path("odd.o")
        wide = ["--test", " | ".join(["inc()"] * 16), "-q"]
        status, said = self.ask(obj, *wide, "--timeout", "0.3")
        self.expect(status == 3 and "undecided" in said, status, said)
        status, said = self.ask(obj, *wide, "--memory", "24M", "--timeout",
                                "300")
        self.expect(status in (0, 3), status, said)
        process = subprocess.Popen(
            [self.plumb.plumb, "explore", obj, "--spec", "infer", *wide],
            cwd=self.plumb.at, env=self.plumb.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        time.sleep(0.5)
        process.send_signal(2)
        said = process.communicate(timeout=600)[0]
        self.expect(process.returncode == 3, process.returncode, said)


def main():
    every = sys.argv[1] == "-a"
    corners = Corners(Plumb(sys.argv[1 + every]))
    corners.hostile_answers(1 if every else 4)
    corners.odd_objects(1 if every else 4)
    corners.hostile_names()
    corners.what_it_is()
    corners.waiting_and_nondet()
    corners.damaged_files(500 if every else 5)
    if every:
        corners.limits_in_phase_1()
    print("%d claims, %d not so" % (corners.count, corners.wrong))
    return 1 if corners.wrong else 0


sys.exit(main())
