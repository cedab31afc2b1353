#!/usr/bin/env python3
"""terminal_test.py PLUMB - plumb simulate, and plumb verify --simulate, as a
person meets them: on a terminal.

A pseudo-terminal takes the place of the person's.  What appears on it, echoed
answers included, is compared line by line with what section 4.1 of Wing &
Gong's report shows.  Numbers that differ from run to run are masked.
"""
import difflib
import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import time

PLUMB = os.path.realpath(sys.argv[1])
LIMIT = 300  # seconds, for anything at all: it hangs

# What the object should be, as the paper has it: a sequential object.
SEQUENTIAL_QUEUE = r"""
#include <plumb/object.h>

static int64_t item[1024];
static unsigned first, last;

static void setup(void)
{
    first = last = 0;
}

static void enq(plumb_invocation *i)
{
    item[last++] = plumb_arg(i, 0);
}

static void deq(plumb_invocation *i)
{
    if (first == last)
        plumb_block(i);
    else
        plumb_return(i, item[first++]);
}

PLUMB_OBJECT(.name = "Q", .setup = setup,
             .operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
"""


class Failure(Exception):
    pass


class Terminal:
    """A program on a pseudo-terminal, and a person who answers it."""

    def __init__(self, directory, *arguments, command="simulate"):
        self.seen = b""
        self.looked = 0
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(directory)
            os.environ.update(TERM="dumb", LC_ALL="C.UTF-8")
            os.execv(PLUMB, ["plumb", command, *arguments])

    def read(self, seconds):
        if not select.select([self.fd], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:  # Linux: the other side is closed
            data = b""
        self.seen += data
        return bool(data)

    def expect(self, text):
        """Wait until `text` appears behind what was expected before."""
        end = time.monotonic() + LIMIT
        while text.encode() not in self.seen[self.looked:]:
            if time.monotonic() > end or not self.read(1) and self.ended():
                raise Failure(f"no {text!r} in:\n{self.transcript()}")
        self.looked = self.seen.index(text.encode(), self.looked) + len(text)

    def answer(self, text):
        """Type a line once a question is there."""
        self.expect("-: ")
        self.type(text + "\n")

    def type(self, text):
        os.write(self.fd, text.encode())

    def ended(self):
        return os.waitid(os.P_PID, self.pid,
                         os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def finish(self):
        """Its exit status; a negative number is a signal."""
        end = time.monotonic() + LIMIT
        while not self.ended():
            if time.monotonic() > end:
                os.kill(self.pid, signal.SIGKILL)
            self.read(0.05)
        while self.read(0):
            pass
        status = os.waitpid(self.pid, 0)[1]
        os.close(self.fd)
        return os.waitstatus_to_exitcode(status)

    def must_exit(self, wanted):
        status = self.finish()
        claim(status == wanted,
              f"exit status {status}, not {wanted}:\n{self.transcript()}")

    def transcript(self):
        text = self.seen.decode().replace("\r\n", "\n")
        text = re.sub(r"\r\x1b\[K(\d+ s, [^\r\n]*? \(Ctrl-C to stop\))?", "",
                      text)  # progress, if it takes longer than a second
        text = re.sub(r"note: \d+ histor(?:y|ies) got stuck.*\n", "", text)
        return re.sub(r"\d+ histor(y|ies) with \d+ operations? in [\d.]+ s, "
                      r"\d+ histories/s", "N histories", text)


def compare(actual, expected):
    if actual != expected:
        raise Failure("\n".join(difflib.unified_diff(
            expected.splitlines(), actual.splitlines(), "expected", "actual",
            lineterm="")))


def claim(condition, what):
    if not condition:
        raise Failure(what)


def wait_until(condition):
    end = time.monotonic() + LIMIT
    while not condition():
        claim(time.monotonic() < end, "what is waited for does not come")
        time.sleep(0.01)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def read(path):
    with open(path, encoding="ascii") as file:
        return file.read()


def piped(directory, arguments, answers=""):
    return subprocess.run([PLUMB, "simulate", *arguments], input=answers,
                          cwd=directory, capture_output=True, text=True,
                          timeout=LIMIT, check=False)


# ---- the cases: each gets an empty directory ----

def the_first_script_of_section_4_1(directory):
    os.mkdir(directory + "/bin")
    write(directory + "/lib/spec/queue.c", SEQUENTIAL_QUEUE)
    t = Terminal(directory + "/bin", "-cqueue-unbound", "-ooutput", "--ask")
    for text in "../lib/spec/queue", "4", "10", "y", "1", "start":
        t.answer(text)
    t.must_exit(0)
    compare(t.transcript(), """\
Please provide a sequential specification. [filename]
-: ../lib/spec/queue
Just a moment...
How many processes would you like to run?
-: 4
On the average, how many operations do you want to execute per process?
-: 10
Would you like to simulate your object for a fixed length of time? [y/n]
-: y
For how long? [seconds]
-: 1
Start the simulation by typing <start>.
-: start
Starting simulation...
Time has run out!
queue-unbound: no violation found
note: N histories
""")
    output = read(directory + "/bin/output")
    claim(output.startswith("/* This is simulation number 1 */\n"),
          "the file begins as in the paper:\n" + output[:200])
    claim("/* This history is linearizable. */\n" in output, "and says so")


def everything_is_asked_for(directory):
    t = Terminal(directory, "--ask")
    for text in "queue-coarse", "queue", "2", "3", "n", "5", "start":
        t.answer(text)
    t.must_exit(0)
    compare(t.transcript(), """\
Please provide a concurrent object. [filename]
-: queue-coarse
Please provide a sequential specification. [filename]
-: queue
Just a moment...
How many processes would you like to run?
-: 2
On the average, how many operations do you want to execute per process?
-: 3
Would you like to simulate your object for a fixed length of time? [y/n]
-: n
How many histories would you like to test?
-: 5
Start the simulation by typing <start>.
-: start
Starting simulation...
queue-coarse: no violation found
note: N histories
""")


def wrong_answers_are_asked_for_again(directory):
    t = Terminal(directory, "-c", "queue-coarse", "-s", "queue", "--ask")
    for text in ("", "many", "0", "-1", "65", "1e3", "99999999999999999999",
                 " 2 "):
        t.answer(text)
    for text in "0", "100001", "0x3":
        t.answer(text)
    for text in "", "maybe", "No":
        t.answer(text)
    for text in "-", "--1", "0", "five", "x" * 2000, "5":
        t.answer(text)
    for text in "", "stop", "START":
        t.answer(text)
    t.must_exit(0)
    said = t.transcript()
    claim(said.count("Please type a number from 1 to 64.") == 7, said)
    claim(said.count("Please type a number from 1 to 100000.") == 2, said)
    claim(said.count("Please type y or n.") == 2, said)
    claim(said.count("or -1 for no limit.") == 5, said)
    claim(said.count("-: ") == 8 + 3 + 3 + 6 + 3, said)
    claim(said.endswith("queue-coarse: no violation found\n"
                        "note: N histories\n"), said)


def answers_may_be_capitals_and_words(directory):
    t = Terminal(directory, "-cqueue-coarse", "-squeue", "-p2", "-n3", "--ask")
    for text in "YES", "1", "<START>":
        t.answer(text)
    t.must_exit(0)
    claim("Time has run out!" in t.transcript(), t.transcript())


def an_object_that_is_none_is_said(directory):
    t = Terminal(directory, "--ask")
    t.answer("")
    t.answer("queue")
    t.must_exit(2)
    t = Terminal(directory, "-c", "queue-coarse", "--ask")
    t.answer("no such specification")
    t.must_exit(2)


def ctrl_d_names_the_option(directory):
    t = Terminal(directory, "-cqueue-coarse", "-squeue", "--ask")
    t.answer("2")
    t.expect("-: ")
    t.type("\x04")
    t.must_exit(2)
    compare(t.transcript(), """\
Just a moment...
How many processes would you like to run?
-: 2
On the average, how many operations do you want to execute per process?
-: 
plumb simulate: no answer; give --operations N, or leave out --ask
""")


def ctrl_c_at_a_question_ends_it(directory):
    t = Terminal(directory, "-cqueue-coarse", "-ooutput", "--ask")
    t.expect("-: ")
    t.type("\x03")
    t.must_exit(3)
    compare(t.transcript(), """\
Please provide a sequential specification. [filename]
-: ^C
""")
    claim(not os.path.exists(directory + "/output"), "nothing is written")


def ctrl_c_in_a_run_tells_what_was_found(directory):
    t = Terminal(directory, "-cqueue-coarse", "-d", "--seconds", "50",
                 "-ooutput")
    t.expect("Starting simulation...")
    wait_until(lambda: os.path.getsize(directory + "/output") > 0)
    t.type("\x03")
    t.must_exit(3)
    compare(t.transcript(), """\
Just a moment...
Starting simulation...
^Cqueue-coarse: no violation found (interrupted)
note: N histories
""")
    output = read(directory + "/output")
    claim(output.endswith("/* This history is linearizable. */\n\n"),
          "whole histories are written")


def running_for_ever_ends_by_ctrl_c(directory):
    t = Terminal(directory, "--ask", "-cqueue-coarse", "-squeue", "-p2", "-n3",
                 "-ooutput")
    for text in "y", "-1", "start":
        t.answer(text)
    t.expect("Starting simulation...")
    t.type("\x03")
    t.must_exit(3)
    claim(read(directory + "/output") == "",
          "only a violation would have been written")


def d_takes_the_conditions_from_init(directory):
    write(directory + "/.init", """\
# conditions
processes 2
\toperations 3   # each
histories\t7
output out.hist
""")
    t = Terminal(directory, "-cqueue-coarse", "-d")
    t.must_exit(0)
    compare(t.transcript(), """\
Just a moment...
Starting simulation...
queue-coarse: no violation found
note: N histories
""")
    output = read(directory + "/out.hist")
    claim(output.count("This is simulation number") == 7, output)
    claim(" P2" in output and " P3" not in output, output)


def options_go_before_init(directory):
    write(directory + "/.init", "processes 2\nseconds 50\ninput none.hist\n")
    done = piped(directory, ["-cqueue-coarse", "-d", "-p3", "--histories=5",
                             "-o", "-"])
    claim(done.returncode == 0, done.stderr)
    claim(" P3" in done.stdout, done.stdout)


def a_malformed_init_has_a_position(directory):
    for text, said in (
            ("processes 4\n  proceses 4\n",
             ".init:2:3: unknown word; expected processes, operations, "
             "seconds, histories, input or output\n"),
            ("processes 65\n",
             ".init:1:1: processes: must be a number from 1 to 64\n"),
            ("\n\noperations\n", ".init:3:1: a value is missing\n"),
            ("seconds -x\n",
             ".init:1:1: seconds: must be a time, or -1 for no limit\n"),
            ("histories 0\n",
             ".init:1:1: histories: must be a number, or -1 for no limit\n"),
            ("x" * 3000, ".init:1:1: the line is too long\n")):
        write(directory + "/.init", text)
        done = piped(directory, ["-cqueue-coarse", "-d"])
        claim(done.returncode == 2, f"{text}: exit status {done.returncode}")
        compare(done.stderr, said)
    os.unlink(directory + "/.init")
    os.mkdir(directory + "/.init")
    claim(piped(directory, ["-cqueue-coarse", "-d"]).returncode == 2,
          "a directory is no .init")


def answers_may_come_from_a_pipe(directory):
    done = piped(directory, ["--ask"], "queue-coarse\n\n2\n3\nn\n5\nstart")
    claim(done.returncode == 0, done.stderr)
    claim(done.stdout == "queue-coarse: no violation found\n", done.stdout)


def a_model_is_gone_through_step_by_step(directory):
    write(directory + "/light.csp", """\
var on = 0;
Light() = switch{on = 1 - on} -> Light();
#assert Light() deadlockfree;
""")
    t = Terminal(directory, "--simulate", "light.csp", command="verify")
    for text in "1", "2", "u":
        t.expect("q to quit: ")
        time.sleep(0.7)  # nothing else is drawn while it waits
        t.type(text + "\n")
    t.expect("q to quit: ")
    t.type("\x04")
    t.must_exit(0)
    compare(t.seen.decode().replace("\r\n", "\n"), """\

on = 0
   1  Light()          switch  on = 1
step 1..1, u to undo, q to quit: 1

on = 1
   1  Light()          switch  on = 0
step 1..1, u to undo, q to quit: 2
step 1..1, u to undo, q to quit: u

on = 0
   1  Light()          switch  on = 1
step 1..1, u to undo, q to quit: 
""")


def without_answers_the_missing_option_is_named(directory):
    given = ["--ask"]
    for option, value in (
            ("-c OBJECT", "-cqueue-coarse"), ("-s SPEC", "-squeue"),
            ("--processes N", "-p2"), ("--operations N", "-n3"),
            ("--seconds S or --histories N", "--histories=5")):
        done = piped(directory, given)
        claim(done.returncode == 2, f"{given}: exit status {done.returncode}")
        claim(f"plumb simulate: no answer; give {option}, or leave" in
              done.stderr, f"{given}: {done.stderr}")
        given.append(value)
    done = piped(directory, given)
    claim(done.returncode == 0 and "-:" not in done.stderr, done.stderr)


CASES = [the_first_script_of_section_4_1, everything_is_asked_for,
         wrong_answers_are_asked_for_again, answers_may_be_capitals_and_words,
         an_object_that_is_none_is_said, ctrl_d_names_the_option,
         ctrl_c_at_a_question_ends_it, ctrl_c_in_a_run_tells_what_was_found,
         running_for_ever_ends_by_ctrl_c, d_takes_the_conditions_from_init,
         options_go_before_init, a_malformed_init_has_a_position,
         answers_may_come_from_a_pipe,
         without_answers_the_missing_option_is_named,
         a_model_is_gone_through_step_by_step]


def main():
    wanted = sys.argv[2:]
    failed = 0
    with tempfile.TemporaryDirectory() as work:
        os.environ["XDG_CACHE_HOME"] = work + "/cache"
        os.environ["HOME"] = work
        for case in CASES:
            if wanted and case.__name__ not in wanted:
                continue
            directory = tempfile.mkdtemp(dir=work)
            began = time.monotonic()
            try:
                case(directory)
                print(f"{case.__name__}: passed "
                      f"({time.monotonic() - began:.1f} s)")
            except Failure as failure:
                print(f"{case.__name__}: FAILED\n{failure}")
                failed += 1
    return 1 if failed else 0


sys.exit(main())
