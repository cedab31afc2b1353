#!/usr/bin/env python3
"""write_spec.py [-a] PLUMB - what --write-spec writes is right.

Random objects are tables behind a lock.  The specification that is written of
some tests compiles without a warning; the object passes with it in those tests,
and a faulty one fails as with the whole table; and on random histories it never
contradicts that, and is undecided where the tests do not tell, and only there.
-a: more objects."""
import os
import random
import subprocess
import sys
import tempfile

ALL = sys.argv[1] == "-a"
PLUMB = os.path.realpath(sys.argv[-1])
STATES, ARGUMENTS = 4, 2
CALLS = [("f", (x,)) for x in range(ARGUMENTS)] + [("g", ())]
WARNINGS = ["-std=c17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O2",
            "-fsyntax-only"]
INCLUDE = os.path.realpath("include")
WAITS = None

HARNESS = """
#include <plumb/object.h>
#include <pthread.h>
#include <stdatomic.h>
static const struct { int waits, answer, next; } row[][3] = { %s };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static atomic_int state;
static void setup(void) { state = 0; }
static void step(plumb_invocation *i, int call)
{
    pthread_mutex_lock(&lock);
    while (row[state][call].waits)
        pthread_cond_wait(&moved, &lock);
    int now = state;
#ifdef FAULT
    pthread_mutex_unlock(&lock);
    now = state;
    pthread_mutex_lock(&lock);
#endif
    state = row[now][call].next;
    pthread_cond_broadcast(&moved);
    pthread_mutex_unlock(&lock);
    plumb_return(i, row[now][call].answer);
}
static void f(plumb_invocation *i) { step(i, (int)plumb_arg(i, 0)); }
static void g(plumb_invocation *i) { step(i, 2); }
PLUMB_OBJECT(.name = "table", .setup = setup,
             .operations = { { "f", f, { PLUMB_RANGE(0, 1) } }, { "g", g } });
"""

SPEC = """
#include <plumb/spec.h>
static const struct { int waits, answer, next; } row[][3] = { %s };
static const char *const ops[] = { "f/1", "g/0", 0 };
static bool step(void *state, const struct plumb_call *c,
                 struct plumb_reply *reply)
{
    int *const at = state;
    const int call = c->op ? 2 : (int)c->args[0].bits;
    if (row[*at][call].waits)
        return false;
    plumb_reply_value(reply, plumb_int(row[*at][call].answer));
    *at = row[*at][call].next;
    return true;
}
PLUMB_SPEC(.name = "table", .state_size = sizeof(int), .ops = ops,
           .step = step);
"""

HOSTILE = r"""
#include <plumb/object.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void setup(void) { n = 0; }
static void odd(plumb_invocation *i)
{
    pthread_mutex_lock(&lock);
    plumb_return_text(i, n ? "*/ int x; /*" : "\"\\\n\?\?/\t%s\xc3\xbc" "123");
    plumb_return(i, INT64_MIN);
    plumb_return_bool(i, n++ > 0);
    pthread_mutex_unlock(&lock);
    plumb_term(i, "*\?\?/\\/");
}
static void say(plumb_invocation *i)
{
    plumb_return_text(i, plumb_arg_text(i, 0));
}
PLUMB_OBJECT(.name = "table", .setup = setup,
             .operations = { { "*o\\d\?\?*", odd },
                             { "say", say, { PLUMB_ONE_OF("*x* /\?\?/") } } });
"""


def fail(*words):
    print("write_spec.py:", *words)
    sys.exit(1)


def run(*words):
    return subprocess.run([PLUMB, *words], capture_output=True, text=True,
                          errors="replace")


def compile_without_warnings(path):
    for compiler in ("gcc", "clang"):
        try:
            done = subprocess.run([compiler, *WARNINGS, "-I", INCLUDE, path],
                                  capture_output=True, text=True)
        except FileNotFoundError:
            continue
        if done.returncode:
            fail(compiler, done.stderr)


def draw_table(rng):
    waits = rng.choice([0, 0, 0.2])
    return [[(WAITS if rng.random() < waits else rng.randrange(2),
              rng.randrange(STATES)) for _ in CALLS] for _ in range(STATES)]


def in_c(table):
    def row(answer, nxt):
        return "{ %d, %d, %d }" % (answer is WAITS, answer or 0, nxt)
    return ", ".join("{ %s }" % ", ".join(row(*r) for r in rows)
                     for rows in table)


def draw_test(rng):
    return [[rng.randrange(len(CALLS)) for _ in range(rng.randint(1, 2))]
            for _ in range(2)]


def test_text(test):
    return " | ".join(" ".join("%s(%s)" % (CALLS[c][0], ",".join(map(
        str, CALLS[c][1]))) for c in t) for t in test)


def seen_of(table, test):
    """Sequences of calls that a serial execution of the test begins with."""
    seen = set()

    def go(done, state, path):
        for t, calls in enumerate(test):
            if done[t] < len(calls):
                call = calls[done[t]]
                answer, nxt = table[state][call]
                seen.add(path + (call,))
                if answer is not WAITS:
                    after = list(done)
                    after[t] += 1
                    go(after, nxt, path + (call,))
    go([0] * len(test), 0, ())
    return seen


class History:
    """Operations with call and return; some are open."""

    def __init__(self, rng, table):
        self.ops, self.lines, opened, state = [], [], {}, 0
        for _ in range(rng.randint(2, 10)):
            t = rng.randrange(3)
            if t in opened:
                op = opened.pop(t)
                answer, nxt = table[state][op["call"]]
                if answer is WAITS or rng.random() < 0.3:
                    answer, nxt = rng.randrange(2), state
                state = nxt
                op.update(answer=answer, ret=len(self.lines))
                self.lines.append("x ok(%d) T%d" % (answer, t))
            elif len(self.ops) < 5:
                call = rng.randrange(len(CALLS))
                opened[t] = dict(call=call, at=len(self.lines), ret=None)
                self.ops.append(opened[t])
                name, args = CALLS[call]
                self.lines.append("x %s(%s) T%d" %
                                  (name, ",".join(map(str, args)), t))

    def verdict(self, table, seen):
        """By trying all orders: with what was seen, and with more."""
        def order(placed, state, path, more):
            if all(i in placed or o["ret"] is None
                   for i, o in enumerate(self.ops)):
                return True
            for i, o in enumerate(self.ops):
                if i in placed or any(
                        k not in placed and p["ret"] is not None and
                        p["ret"] < o["at"] for k, p in enumerate(self.ops)):
                    continue
                step = path + (o["call"],)
                if step not in seen:
                    if more:
                        return True
                    continue
                answer, nxt = table[state][o["call"]]
                if answer is WAITS or (o["ret"] is not None and
                                       o["answer"] != answer):
                    continue
                if order(placed | {i}, nxt, step, more):
                    return True
            return False
        if order(frozenset(), 0, (), False):
            return "linearizable"
        return ("undecided (unknown)" if order(frozenset(), 0, (), True)
                else "not linearizable")


def compare_histories(rng, table, seen, written):
    histories = [History(rng, table) for _ in range(200)]
    with open("histories", "w", encoding="utf-8") as out:
        out.write("\n\n".join("\n".join(h.lines) for h in histories) + "\n")
    verdicts = {}
    for spec in ("whole.c", written):
        done = run("check", "-q", "--spec", spec, "histories")
        verdicts[spec] = [line.split(": ", 1)[1]
                          for line in done.stdout.splitlines()]
        if len(verdicts[spec]) != len(histories):
            fail(spec, done.stderr)
    for h, whole, part in zip(histories, verdicts["whole.c"],
                              verdicts[written]):
        wanted = h.verdict(table, seen)
        if part != wanted or (not part.startswith("undecided") and
                              part != whole):
            fail("%s, not %s; the whole table: %s\n%s" %
                 (part, wanted, whole, "\n".join(h.lines)))
    return set(verdicts[written])


def write_sources(table):
    for name, text in (("table.c", HARNESS), ("whole.c", SPEC)):
        with open(name, "w", encoding="utf-8") as out:
            out.write(text % in_c(table))


def try_object(seed):
    """What histories are, and whether a fault was found."""
    rng = random.Random(seed)
    table, test = draw_table(rng), draw_test(rng)
    write_sources(table)
    written = "seen%d.c" % seed
    explore = ["explore", "table.c", "--test", test_text(test), "--races",
               "interleave", "--spec"]
    done = run(*explore, "infer", "--write-spec", written)
    if done.returncode:
        fail("explore:", test_text(test), done.stdout, done.stderr)
    compile_without_warnings(written)
    verdicts = compare_histories(rng, table, seen_of(table, test), written)
    done = run(*explore, written)
    # It may be vacuous, if an operation never returns.
    if done.returncode != run(*explore, "whole.c").returncode:
        fail("it does not pass with its own:", done.stdout, done.stderr)
    right, faulty = (run(*explore, spec, "--", "-DFAULT").returncode
                     for spec in ("whole.c", written))
    if right != faulty and faulty != 3:
        fail("seed %d: a fault: %d, not %d" % (seed, faulty, right))
    return verdicts, faulty == 1


def try_generated():
    """Many tests, merged: as the whole table says, or undecided."""
    rng = random.Random(1)
    table = draw_table(rng)
    write_sources(table)
    generated = ["explore", "table.c", "--samples", "8", "--threads", "2",
                 "--ops", "2"]
    for jobs in ("1", "2"):
        done = run(*generated, "-j", jobs, "--spec", "infer", "--write-spec",
                   "jobs%s.c" % jobs)
        if done.returncode:
            fail(done.stdout, done.stderr)
    text = [open(name, encoding="utf-8").read()
            for name in ("jobs1.c", "jobs2.c")]
    if text[0] != text[1]:
        fail("-j changes what is written")
    compile_without_warnings("jobs1.c")
    lines = text[0].splitlines()
    tests = lines[lines.index(" * Tests:") + 1:lines.index(" */")]
    seen = set()
    for line in tests:
        seen |= seen_of(table, [[CALLS.index(
            (c[0], tuple(map(int, filter(None, c[2:-1].split(","))))))
            for c in t.split()] for t in line[2:].split("|")])
    compare_histories(rng, table, seen, "jobs1.c")


def try_hostile():
    with open("hostile.c", "w", encoding="utf-8") as out:
        out.write(HOSTILE)
    test = ["--test", r'*o\d??*() say("*x*") | *o\d??*() say("/??/")']
    done = run("explore", "hostile.c", "--spec", "infer", *test,
               "--write-spec", "odd.c")
    if done.returncode:
        fail("hostile:", done.stdout, done.stderr)
    compile_without_warnings("odd.c")
    done = run("explore", "hostile.c", "--spec", "odd.c", *test)
    if done.returncode:
        fail("hostile:", done.stdout, done.stderr)


def main():
    verdicts, found = set(), 0
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        for seed in range(40 if ALL else 4):
            more, fault = try_object(seed)
            verdicts |= more
            found += fault
        try_generated()
        try_hostile()
        os.chdir("/")
    if len(verdicts) != 3 or not found:
        fail("only", verdicts, found)


main()
