#!/usr/bin/env python3
"""observations.py PLUMB - observation files of `plumb explore --spec infer`.

Every file is XML, whatever the object says; Figure 7's test has the figure's
four histories; a file is read again, and one that is damaged, or of another
build, test or option, is refused with its line; nothing is overwritten."""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

PLUMB = os.path.realpath(sys.argv[1])
QUEUE = os.path.realpath("tests/golden/files/waiting_queue.c")
FIGURE = "add(200) add(400) | take() try_take()"

HOSTILE = r"""
#include <plumb/object.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void setup(void) { n = 0; }
static void odd(plumb_invocation *i)
{
    static const char *const text[] = {
        "", "--><!--", "]]>", "&amp;<a b='c'>\"\\", "\x01\x7f\x80\xff\xc3\xbc",
        "\n\r\t ", "0", "true", "B#[]", "--", "-", "x, y", "(1)"
    };
    pthread_mutex_lock(&lock);
    const int now = n++;
    pthread_mutex_unlock(&lock);
    plumb_return_text(i, text[now %% 13]);
    plumb_return_text(i, text[(now + %d) %% 13]);
    plumb_return(i, INT64_MIN);
    plumb_return_bool(i, false);
    static const char *const term[] = { "<&'-->\x02\xff", "0", "true", "-5x",
                                        "a(\"b\\c,)", "ok", "#" };
    plumb_term(i, "longer than the others");
    plumb_term(i, term[%d %% 7]);
}
static void say(plumb_invocation *i)
{
    plumb_return_text(i, plumb_arg_text(i, 0));
}
PLUMB_OBJECT(.name = "--><&", .setup = setup,
             .operations = { { "<o&d'--\x80>", odd },
                             { "say", say, { PLUMB_FRESH_TEXT } } },
             .init = "say(\"--\")");
"""


def fail(*words):
    print("observations.py:", *words)
    sys.exit(1)


def explore(*words):
    return subprocess.run([os.fsencode(PLUMB), b"explore",
                           *map(os.fsencode, words)], capture_output=True)


def must_pass(*words):
    done = explore(*words)
    if done.returncode:
        fail(words, done.stdout, done.stderr)


def must_be_refused(why, *words):
    """With one line that names the file and matches `why`."""
    done = explore(*words)
    lines = done.stderr.decode(errors="replace").splitlines()
    if done.returncode != 2 or len(lines) != 1 or not re.search(why, lines[0]):
        fail(words, done.returncode, done.stdout, done.stderr)


def must_be_xml(path):
    try:
        root = xml.parse(path).getroot()
    except xml.ParseError as error:
        fail(path, error)
    if shutil.which("xmllint") and subprocess.run(
            ["xmllint", "--noout", path]).returncode:
        fail("xmllint:", path)
    return root


def read(path):
    with open(path, "rb") as file:
        return file.read()


def check_figure():
    must_pass(QUEUE, "--spec", "infer", "--test", FIGURE, "--observations",
              "figure.xml")
    root = must_be_xml("figure.xml")
    seen = {(tuple((op.get("name"), op.text) for op in o.iter("op")),
             frozenset(h.text for h in o.iter("history")))
            for o in root.iter("observation")}
    added = (("add", 'value="200"'), ("add", 'value="400"'))
    figure = {
        (added + (("take", 'result="200"'), ("try_take", 'result="400"')),
         frozenset(["1[ ]1 2[ ]2 3[ ]3 4[ ]4", "1[ ]1 3[ ]3 2[ ]2 4[ ]4"])),
        (added + (("take", 'result="200"'), ("try_take", 'result="Fail"')),
         frozenset(["1[ ]1 3[ ]3 4[ ]4 2[ ]2"])),
        ((("take", None),), frozenset(["1[ #"])),
    }
    if seen != figure:
        fail("Figure 7:", seen)


def check_hostile():
    for turn in range(13):
        with open("odd.c", "w", encoding="utf-8") as out:
            out.write(HOSTILE % (turn, turn))
        path = "odd%d.xml" % turn
        test = os.fsencode('<o&d\'--') + b"\x80>() say(\"a--\") | " + \
            os.fsencode('<o&d\'--') + b"\x80>() say(\"-->;\")"
        words = ["odd.c", "--spec", "infer", "--test", os.fsdecode(test),
                 "--final", 'say("<!--")', "--observations", path]
        must_pass(*words)
        must_be_xml(path)
        before = read(path)
        must_pass(*words)
        if read(path) != before:
            fail("overwritten:", path)


def check_others():
    """Of another test, with other options, of another build."""
    words = [QUEUE, "--spec", "infer", "--observations", "figure.xml"]
    before = read("figure.xml")
    for other in (["--test", "add(200) add(401) | take() try_take()"],
                  ["--test", FIGURE, "--init", "add(1)"],
                  ["--test", FIGURE, "--final", "try_take()"],
                  ["--test", FIGURE, "--random", "3"],
                  ["--test", FIGURE, "--reuse", "never"],
                  ["--test", FIGURE, "--nondet", "try_take=Fail"],
                  ["--test", FIGURE, "--", "-DBUSY"]):
        must_be_refused(r"^figure\.xml:\d+:", *words, *other)
    if read("figure.xml") != before:
        fail("overwritten: figure.xml")


def meaning(text):
    """Words, without those that say nothing, and each line once."""
    text = re.sub(rb"<\?xml[^>]*>|<!-- obj[^>]*>", b"", text)
    return set(text.split())


def check_damaged():
    """Without a line, with two swapped, cut, or with another byte: refused with
    a line, or the same histories."""
    rng = random.Random(1)
    whole = read("figure.xml")
    lines = whole.splitlines(keepends=True)
    for trial in range(60):
        k = rng.randrange(len(lines))
        at = rng.randrange(len(whole))
        damaged = [
            b"".join(lines[:k] + lines[k + 1:]),
            b"".join(lines[:k] + lines[k:k + 1] + lines[k:]),
            whole[:at],
            whole[:at] + bytes([rng.randrange(256)]) + whole[at + 1:],
        ][trial % 4]
        path = "damaged%d.xml" % trial
        with open(path, "wb") as out:
            out.write(damaged)
        done = explore(QUEUE, "--spec", "infer", "-q", "--test", FIGURE,
                       "--observations", path)
        error = done.stderr.decode(errors="replace")
        if read(path) != damaged:
            fail("overwritten:", path)
        if done.returncode == 2 and \
                re.fullmatch(r"damaged\d+\.xml:\d+: [^\n]*\n", error):
            continue
        if done.returncode or b"no violation" not in done.stdout or \
                meaning(damaged) != meaning(whole):
            fail(damaged.decode(errors="replace"), done.returncode,
                 done.stdout, error)


def check_directory():
    words = [QUEUE, "--spec", "infer", "--samples", "4", "--threads", "2",
             "--ops", "2", "-q", "--observations", "several"]
    must_pass(*words)
    names = sorted(os.listdir("several"))
    if names != ["%04d.xml" % n for n in range(1, 5)]:
        fail(names)
    before = {n: read(os.path.join("several", n)) for n in names}
    for name in names:
        must_be_xml(os.path.join("several", name))
    must_pass(*words)
    os.remove("several/0002.xml")
    must_pass(*words)
    if before != {n: read(os.path.join("several", n)) for n in names}:
        fail("other files")
    with open("several/0003.xml", "ab") as out:
        out.write(b"<history>1[ ]1</history>\n")
    must_be_refused(r"^several/0003\.xml:\d+:", *words)
    os.mkdir("dir.xml")
    must_be_refused(r"dir\.xml", QUEUE, "--spec", "infer", "--test", FIGURE,
                    "--observations", "dir.xml")


def main():
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        check_figure()
        check_hostile()
        check_others()
        check_damaged()
        check_directory()
        os.chdir("/")


main()
