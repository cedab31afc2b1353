#!/usr/bin/env python3
"""matrices.py PLUMB - which tests `plumb explore --spec infer` runs.

AutoCheck and RandomCheck are compared with an enumeration by the definition
(Line-Up, section 4.1): all matrices over a list of invocations.  Two that differ
only in the order of their threads are one, unless an operation is reserved for
the first thread.  The tests that were run are read from observation files."""
import itertools
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

PLUMB = os.path.realpath(sys.argv[1])
MOST = 64  # operations of a test

OBJECT = """
#include <plumb/object.h>
#include <stdatomic.h>
static atomic_int n;
static void setup(void) { n = 0; }
static void act(plumb_invocation *i) { plumb_return(i, n++); }
#ifdef BROKEN
static void look(plumb_invocation *i) { int was = n; n = was + 1; plumb_return(i, was); }
#else
#define look act
#endif
PLUMB_OBJECT(.name = "acts", .setup = setup,
             .operations = { %s }, .sequences = "%s");
"""


class Operation:
    """args: lists of values; None is a fresh one."""

    def __init__(self, name, args=(), by="ANY", run="act"):
        self.name, self.args, self.by, self.run = name, args, by, run

    def in_c(self):
        domains = ", ".join(
            "PLUMB_FRESH" if a is None else 'PLUMB_ONE_OF("%s")' %
            " ".join(a) if isinstance(a[0], str) else "PLUMB_RANGE(%d, %d)" %
            (a[0], a[-1]) for a in self.args)
        return "{ .name = \"%s\", .run = %s, .args = { %s }, .by = PLUMB_BY_%s }" % (
            self.name, self.run, domains or "{ PLUMB_DOMAIN_NONE, 0, 0, 0 }",
            self.by)

    def invocations(self, level):
        """Those whose largest number of a value is `level`."""
        values = [[None] if a is None else a for a in self.args]
        for chosen in itertools.product(*[range(len(v)) for v in values]):
            if max(chosen, default=0) == level:
                yield (self.name, tuple(v[k] for v, k in zip(values, chosen)))


def list_invocations(operations, sequences):
    levels = range(max((len(a) for o in operations for a in o.args if a),
                       default=1))
    calls = [[i] for level in levels for o in operations
             for i in o.invocations(level)]
    for s in filter(None, sequences.split(";")):
        calls.append([(n, tuple(int(x) for x in a.split(",") if x))
                      for n, a in re.findall(r"(\w+)\(([^)]*)\)", s)])
    return calls


def may_invoke(operations, thread, block):
    by = {o.name: o.by for o in operations}
    callers = {"ANY": True, "FIRST": thread == 0, "SECOND": thread == 1,
               "OTHERS": thread > 0}
    return all(callers[by[name]] for name, _ in block)


def all_tests(operations, blocks, threads, ops):
    """Matrices, each as what stands for it whatever the order of threads."""
    differ = unlike_others(operations)
    rows = [[r for r in itertools.product(range(len(blocks)), repeat=ops)
             if all(may_invoke(operations, t, blocks[b]) for b in r)]
            for t in range(threads)]
    return {canonical(m, differ) for m in itertools.product(*rows)
            if sum(len(blocks[b]) for r in m for b in r) <= MOST}


def unlike_others(operations):
    """So many threads."""
    return max({"ANY": 0, "SECOND": 2}.get(o.by, 1) for o in operations)


def canonical(matrix, differ):
    return (*matrix[:differ], *sorted(matrix[differ:]))


def parse(text, operations, blocks, ops):
    """A test as a matrix of numbers of blocks; fresh values are checked."""
    fresh = {o.name: [a is None for a in o.args] for o in operations}
    matrix, used = [], set()
    for thread, part in enumerate(text.split("|")):
        calls = []
        for name, words in re.findall(r"(\w+)\(([^)]*)\)", part):
            values = []
            for k, word in enumerate(filter(None, words.split(","))):
                values.append(int(word) if re.fullmatch(r"-?\d+", word)
                              else word)
            calls.append((name, tuple(values)))
        row, at = [], 0
        while at < len(calls):
            for number in sorted(range(len(blocks)),
                                 key=lambda b: -len(blocks[b])):
                block = blocks[number]
                piece = calls[at:at + len(block)]
                if len(piece) == len(block) and all(
                        is_same(c, b, fresh, used, len(block) > 1)
                        for c, b in zip(piece, block)):
                    break
            else:
                fail("no invocation:", text)
            row.append(number)
            at += len(blocks[number])
        if len(row) != ops:
            fail("thread %d has %d blocks: %s" % (thread, len(row), text))
        matrix.append(tuple(row))
    return tuple(matrix)


def is_same(call, block, fresh, used, literal):
    if call[0] != block[0] or len(call[1]) != len(block[1]):
        return False
    for value, wanted, is_fresh in zip(call[1], block[1], fresh[call[0]]):
        if is_fresh and not literal:
            if value in used:
                fail("a value twice:", value)
            used.add(value)
        elif value != wanted:
            return False
    return True


def fail(*words):
    print("matrices.py:", *words)
    sys.exit(1)


def tests_in(directory):
    for name in sorted(os.listdir(directory)):
        with open(os.path.join(directory, name), encoding="utf-8") as file:
            found = re.search(r"<!-- test: (.*) -->", file.read())
        if found:
            yield found[1]


def run(*words):
    return subprocess.run([PLUMB, "explore", *words], capture_output=True,
                          text=True, timeout=600)


def run_auto(source, directory, count, jobs):
    """Until there are so many files."""
    with subprocess.Popen([PLUMB, "explore", source, "--auto", "-q", "-j", jobs,
                           "--observations", directory],
                          stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE) as process:
        while process.poll() is None:
            if os.path.isdir(directory) and \
                    len(os.listdir(directory)) >= count:
                process.send_signal(signal.SIGINT)
                process.wait()
                break
            time.sleep(0.05)
        if process.returncode != 3:
            fail("auto ended with", process.returncode, process.stderr.read())


def sizes_of_auto(name, operations, more=""):
    """Of the tests that AutoCheck runs in some seconds."""
    with open(name, "w", encoding="utf-8") as out:
        out.write((OBJECT % (", ".join(o.in_c() for o in operations), ""))
                  .replace(".sequences", more + " .sequences"))
    done = run(name, "--auto", "--strategy", "random", "--executions", "1",
               "--timeout", "4", "--verbose")
    if done.returncode not in (0, 3):
        fail(name, done.stdout, done.stderr)
    return [[len(re.findall(r"\(", t)) for t in test.split("|")] for test in
            re.findall("note: test .* ms: (.*)", done.stderr)]


def check_rare():
    """Few matrices are wanted: the others are not gone through."""
    operations = [Operation(n, by="FIRST") for n in "abcd"]
    operations.append(Operation("e", by="OTHERS"))
    sizes = sizes_of_auto("rare.c", operations)
    if sizes[:2] != [[1], [5] * 5] or any(s != [5] * 5 for s in sizes[2:]):
        fail("rare:", sizes)


def check_threads():
    """No test has more than the object is for."""
    sizes = sizes_of_auto("pair.c", [Operation("a")], ".threads = 2,")
    if sizes[:3] != [[1], [2, 2], [3, 3]]:
        fail("threads:", sizes)


def check_auto(source, operations, blocks, directory, largest, jobs="1"):
    wanted = [all_tests(operations, blocks[:n], n, n)
              for n in range(1, largest + 1)]
    run_auto(source, directory, sum(map(len, wanted)) + 2, jobs)
    tests = list(tests_in(directory))
    differ = unlike_others(operations)
    for n, expected in enumerate(wanted, 1):
        got = [canonical(parse(t, operations, blocks, n), differ)
               for t in tests[:len(expected)]]
        if len(set(got)) != len(got) or set(got) != expected:
            fail("%s: AutoCheck of %d: %s" % (source, n, tests))
        tests = tests[len(expected):]


def check_random(source, operations, blocks, directory, threads, ops):
    """More are asked for than there are."""
    expected = all_tests(operations, blocks, threads, ops)
    differ = unlike_others(operations)
    done = run(source, "-q", "--samples", "1000", "--threads", str(threads),
               "--ops", str(ops), "--observations", directory)
    if done.returncode:
        fail(source, done.stdout, done.stderr)
    tests = list(tests_in(directory))
    got = [canonical(parse(t, operations, blocks, ops), differ)
           for t in tests]
    if len(set(got)) != len(got) or set(got) != expected:
        fail("%s: %d tests of %dx%d, not %d" %
             (source, len(got), threads, ops, len(expected)))


SUBJECTS = (
    ([Operation("a"), Operation("b", [None])], ""),
    ([Operation("a", [[0, 1], ["x", "y"]]), Operation("b", [[3, 4]])], ""),
    ([Operation("a", by="FIRST"), Operation("b", [None]),
      Operation("c", by="OTHERS")], ""),
    ([Operation("a"), Operation("b", [None])], "a() b(5);b(6) b(7) a()"),
    ([Operation("a"), Operation("b")], "b() %s b()" % ("a() " * 38)),
    ([Operation("a", by="SECOND"), Operation("b"),
      Operation("c", by="FIRST")], ""),
)


def check_subject(number, operations, sequences):
    source = "acts%d.c" % number
    with open(source, "w", encoding="utf-8") as out:
        out.write(OBJECT % (", ".join(o.in_c() for o in operations),
                            sequences))
    blocks = list_invocations(operations, sequences)
    check_auto(source, operations, blocks, "auto%d" % number, 2)
    check_random(source, operations, blocks, "random%d" % number, 2, 1)
    check_random(source, operations, blocks, "three%d" % number, 3, 1)
    if number == 0:
        check_auto(source, operations, blocks, "jobs", 2, "2")


def check_default():
    """Small tests, then a hundred of three threads with three operations."""
    run("acts1.c", "-q", "--observations", "default")
    sizes = [[len(re.findall(r"\(", t)) for t in test.split("|")]
             for test in tests_in("default")]
    large = [s == [3, 3, 3] for s in sizes]
    if sum(large) != 100 or not all(large[-100:]) or large[0]:
        fail("default:", sizes)


def check_jobs(*words):
    """Equal bytes."""
    seen = []
    for jobs in "123":
        done = run("-j", jobs, *words)
        seen.append((done.returncode, re.sub(r"-\w+\.schedule", "",
                                             done.stdout)))
    if seen[1:] != seen[:-1]:
        fail("-j:", seen)
    return seen[0]


def check_cut():
    """What is left of a test has the values it had."""
    operations = [Operation("a", [None]), Operation("b", [None], run="look")]
    with open("broken.c", "w", encoding="utf-8") as out:
        out.write(OBJECT % (", ".join(o.in_c() for o in operations), ""))
    words = ["broken.c", "--samples", "3", "--threads", "3", "--ops", "3",
             "--spec", "infer"]
    made = ["--", "-DBROKEN"]
    status, text = check_jobs(*words, "--no-minimise", *made)
    whole = re.search(r"--test '([^']*)'", text)[1].split(" | ")
    cut = re.search(r"--test '([^']*)'", run(*words, *made).stdout)[1]
    calls = [c for t in whole for c in t.split()]
    if status != 1 or len(cut.split()) >= len(" | ".join(whole).split()) or \
            any(c not in calls for t in cut.split(" | ") for c in t.split()):
        fail("cut down:", cut, "from", " | ".join(whole))


def main():
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        for number, (operations, sequences) in enumerate(SUBJECTS):
            check_subject(number, operations, sequences)
        check_rare()
        check_threads()
        check_default()
        check_jobs("acts0.c", "--samples", "7", "--threads", "2")
        check_cut()
        os.chdir("/")


main()
