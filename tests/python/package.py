"""package.py LIBRARY PLUMB [ROUNDS] - the Python package.

What it decides is what `plumb check` decides, of random histories, with
built-in specifications and with classes; whatever a class does, nothing
crashes.
"""
import gc
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY, PLUMB = map(os.path.realpath, sys.argv[1:3])
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 1
os.environ["PLUMB_LIBRARY"] = LIBRARY
sys.path.insert(0, str(ROOT / "python"))
sys.dont_write_bytecode = True

import plumbline  # noqa: E402 needs both lines above
from plumbline import Operation, Reply, Specification, ok  # noqa: E402


# ---- specifications, as plain as they get ----

class Queue(Specification):
    operations = {"enq": 1, "put": 1, "deq": 0, "poll": 0, "take": 0,
                  "peek": 0}
    initial = ()

    def step(self, state, name, args):
        if name in ("enq", "put"):
            return state + args, ok()
        if not state:
            return None if name == "take" else (state, Reply("empty"))
        return state if name == "peek" else state[1:], ok(state[0])


class Stack(Specification):
    operations = {"push": 1, "put": 1, "pop": 0, "try_pop": 0, "take": 0,
                  "peek": 0}
    initial = ()

    def step(self, state, name, args):
        if name in ("push", "put"):
            return state + args, ok()
        if not state:
            return None if name == "take" else (state, Reply("empty"))
        return state if name == "peek" else state[:-1], ok(state[-1])


class Semiqueue(Queue):
    def step(self, state, name, args):
        if name in ("deq", "poll", "take", "peek") and state:
            return [(state if name == "peek" else
                     tuple(sorted(state[:i] + state[i + 1:])), ok(x))
                    for i, x in enumerate(state)]
        made = super().step(state, name, args)
        return made and (tuple(sorted(made[0])), made[1])


class Register(Specification):
    operations = {"write": 1, "read": 0, "cas": 2, "swap": 1}
    initial = None

    def step(self, state, name, args):
        if name == "cas":
            return (args[1], ok(True)) if state == args[0] else \
                (state, ok(False))
        return args[0] if args else state, ok(*[state] * (name != "write"))


class Mutex(Specification):
    operations = {"lock": 0, "try_lock": 0, "unlock": 0}
    initial = False

    def step(self, state, name, args):
        if name == "try_lock":
            return True, ok(not state)
        return None if state == (name == "lock") else (not state, ok())


CLASSES = {"queue": Queue, "stack": Stack, "semiqueue": Semiqueue,
           "register": Register, "mutex": Mutex}


def generate(spec, seed, *more):
    return subprocess.run(
        [PLUMB, "generate", "--spec", spec, "--ops", "12", "--threads", "3",
         "--seed", str(seed), *more], check=False, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL).stdout


def command(data, spec, *more):
    done = subprocess.run([PLUMB, "check", "--json", "--spec", spec, *more, "-"],
                          input=data, check=False, capture_output=True)
    return json.loads(done.stdout.splitlines()[0])


def bad_histories(seed):
    """Histories of a queue and a register that are mostly violations."""
    draw = random.Random(seed)
    for _ in range(20):
        operations, free = [], [0, 0, 0]
        for _ in range(draw.randrange(2, 7)):
            thread = draw.randrange(3)
            call = free[thread] + draw.randrange(4)
            end = free[thread] = call + 1 + draw.randrange(5)
            free[thread] += 1
            x = draw.randrange(3)
            kind = draw.choice([("enq", (x,), "ok", ()),
                                ("deq", (), "ok", (x,)),
                                ("deq", (), "empty", ())])
            open_ = draw.random() < 0.1
            operations.append(Operation(
                f"T{thread}-{len(operations)}" if open_ else f"T{thread}",
                kind[0], kind[1], kind[2], () if open_ else kind[3], call,
                None if open_ else end, "q", "open" if open_ else "ok"))
        yield plumbline.history_of(operations)


class Decisions(unittest.TestCase):
    def agree(self, data, spec):
        told = command(data, spec, "--verbose")
        history = next(plumbline.read(data, spec=spec))
        answers = [plumbline.check(history, spec),
                   plumbline.check(history, CLASSES[spec])]
        for answer in answers:
            self.assertEqual(answer.verdict, told["verdict"])
            if answer.event:
                first = told["first_event"]
                self.assertEqual(answer.event,
                                 (first["from"] - 1, first["to"] - 1))
            if answer.linearizable:
                self.assertEqual(sorted(set(answer.order)),
                                 sorted(answer.order))
                required = {i for i, o in enumerate(history)
                            if o.outcome == "ok"}
                self.assertLessEqual(required, set(answer.order))
        return told["verdict"]

    def test_classes_decide_as_built_in_specifications(self):
        seen = set()
        for spec in CLASSES:
            for seed in range(1, 2 + 2 * ROUNDS):
                seen.add(self.agree(generate(spec, seed), spec))
                seen.add(self.agree(generate(spec, seed, "--violation"), spec))
        self.assertEqual(seen, {"linearizable", "not linearizable"})

    def test_random_histories(self):
        seen = set()
        for seed in range(1, 4 + 4 * ROUNDS):
            for history in bad_histories(seed):
                built_in = plumbline.check(history, "queue",
                                           algorithm="search")
                own = plumbline.check(history, Queue)
                auto = plumbline.check(history, "queue")
                self.assertEqual(built_in.verdict, own.verdict)
                self.assertEqual(built_in.verdict, auto.verdict)
                seen.add(own.verdict)
        self.assertEqual(seen, {"linearizable", "not linearizable"})

    def test_a_core_is_a_violation_by_itself(self):
        for history in bad_histories(77):
            answer = plumbline.check(history, "queue")
            if not answer.core:
                continue
            alone = [o if o.ret is not None else
                     Operation(f"{o.thread}-{i}", o.name, o.args, o.term, (),
                               o.call, None, o.object, "open")
                     for i, o in enumerate(answer.core)]
            again = plumbline.check(plumbline.history_of(alone), Queue)
            self.assertEqual(again.verdict, "not linearizable")

    def test_limits(self):
        data = generate("mutex", 5)
        history = next(plumbline.read(data, spec="mutex"))
        answer = plumbline.check(history, "mutex", algorithm="search",
                                 most_steps=1)
        self.assertIn(answer.verdict, ("undecided", "linearizable"))
        bounded = ROOT / "tests/golden/files/violations.hist"
        for history in plumbline.read(bounded, spec="queue"):
            self.assertIsNotNone(plumbline.check(history, "queue",
                                                 timeout=60).verdict)
        with self.assertRaises(ValueError):
            plumbline.check(history, "queue", algorithm="guess")


class Mistakes(unittest.TestCase):
    def history(self):
        b = plumbline.Builder()
        b.call("a", "enq", 1)
        b.call("b", "deq")
        b.respond("a")
        b.respond("b", 1)
        return b.finish()

    def check(self, step, history=None, **more):
        class Mine(Queue):
            pass
        Mine.step = step
        return plumbline.check(history or self.history(), Mine, **more)

    def raises(self, cause, step):
        for jobs in 1, 4:
            with self.assertRaises(plumbline.SpecificationError) as caught:
                self.check(step, jobs=jobs)
            self.assertIsInstance(caught.exception.__cause__, cause)
        self.assertEqual(self.check(Queue.step).verdict, "linearizable")

    def test_an_exception_is_an_error(self):
        self.raises(ZeroDivisionError, lambda *_: 1 / 0)
        self.raises(SystemExit, lambda *_: sys.exit(3))
        self.raises(KeyboardInterrupt, self.interrupt)
        self.raises(RecursionError, self.recur)
        self.raises(NotImplementedError, Specification.step)

    def interrupt(self, *_):
        raise KeyboardInterrupt

    def recur(self, *_):
        return self.recur()

    def test_what_is_no_reply_is_an_error(self):
        for made in (3, "ok", (1, 2, 3), ((), "ok"), [3], ({}, ok()),
                     ((), ok([])), ((), ok(2**63)), ((), ok(*range(101)))):
            self.raises((TypeError, ValueError, OverflowError),
                        lambda *_, made=made: made)

    def test_an_exception_after_a_while(self):
        steps = []

        def step(me, state, name, args):
            steps.append(name)
            if len(steps) > 1:
                raise LookupError(name)
            return Queue.step(me, state, name, args)
        self.raises(LookupError, step)

    def test_replies_with_texts_that_no_history_has(self):
        def step(_, state, name, args):
            return (state, ok("nobody said that")) if name == "deq" else \
                (state, ok())
        self.assertEqual(self.check(step).verdict, "not linearizable")
        b = plumbline.Builder()
        b.call("a", "deq")
        self.assertEqual(self.check(step, b.finish()).verdict, "linearizable")

    def test_unknown(self):
        answer = self.check(lambda *_: ((), plumbline.UNKNOWN))
        self.assertEqual((answer.verdict, answer.reason),
                         ("undecided", "unknown"))

    def test_specifications_that_are_none(self):
        class Nothing(Specification):
            pass

        class Odd(Specification):
            operations = {"a b": 1}

        class Many(Specification):
            operations = {"a": 1000}
        for spec in Nothing, Odd, Many, "no-such", "queue:cap=x", "":
            with self.assertRaises(plumbline.InputError):
                plumbline.check(self.history(), spec)
        with self.assertRaises(TypeError):
            plumbline.check(self.history(), 3)
        with self.assertRaises(plumbline.InputError):
            plumbline.check(self.history(), "stack")

    def test_histories_that_are_none(self):
        with self.assertRaises(plumbline.InputError) as caught:
            list(plumbline.read(b"q enq(1) P\nq enq(2) P\n", spec="queue"))
        self.assertEqual(caught.exception.line, 2)
        for data in b"\0\1\2", b"x", b"\xff" * 100:
            with self.assertRaises(plumbline.InputError):
                list(plumbline.read(data))
        with self.assertRaises(plumbline.InputError):
            list(plumbline.read(b"", format="none"))
        with self.assertRaises(OSError):
            list(plumbline.read("/no/such/file"))
        b = plumbline.Builder()
        b.call("a", "enq", 1)
        with self.assertRaises(plumbline.InputError):
            b.call("a", "enq", 2)
        with self.assertRaises(TypeError):
            plumbline.Builder().call("a", "enq", 1.5)
        with self.assertRaises(OverflowError):
            plumbline.Builder().call("a", "enq", 2**63)


class Histories(unittest.TestCase):
    def test_values_come_back(self):
        values = [None, True, False, 0, -1, 2**63 - 1, -2**63, "", "a\0b",
                  "ünï\u202e", "\udcff", "x" * 100000]
        b = plumbline.Builder("register")
        b.call("P\0\udc80", "write", *values, object="o")
        b.respond("P\0\udc80", *values, term="t")
        history = b.finish()
        operation = history[0]
        self.assertEqual(list(operation.args), values)
        self.assertEqual(list(operation.results), values)
        self.assertEqual(list(map(type, operation.args)),
                         list(map(type, values)))
        self.assertEqual((operation.thread, operation.object, operation.term),
                         ("P\0\udc80", "o", "t"))
        self.assertEqual(history.spec, "register")

    def test_reading(self):
        text = (ROOT / "examples/queue-not-linearizable.hist").read_text()
        for source in (plumbline.Text(text), text.encode(),
                       ROOT / "examples/queue-not-linearizable.hist"):
            history, = plumbline.read(source)
            self.assertEqual(len(history), 6)
            self.assertEqual(str(history[0]), "enq(1) = ok")
            self.assertEqual(history[-1], history[5])
            self.assertEqual(history[:2], [history[0], history[1]])
            with self.assertRaises(IndexError):
                history[6]

    def test_edn_with_the_arguments_of_its_specification(self):
        edn = b"""{:process 0 :type :invoke :f :write :value 3}
{:process 0 :type :ok :f :write :value 3}
{:process 1 :type :invoke :f :read :value nil}
{:process 1 :type :ok :f :read :value 3}
"""
        history, = plumbline.read(edn, spec="register")
        self.assertEqual([o.args for o in history], [(3,), ()])
        self.assertTrue(plumbline.check(history, "register").linearizable)

    def test_whoever_is_gone_is_gone(self):
        operation = None
        for _ in range(200):
            history, = plumbline.read(
                ROOT / "examples/queue-linearizable.hist", spec="queue")
            answer = plumbline.check(history, Queue)
            operation = history[0]
            del history
        gc.collect()
        self.assertTrue(answer.linearizable)
        self.assertEqual(operation.name, "enq")

    def test_the_binary_format_outlives_its_reader(self):
        with tempfile.TemporaryDirectory() as work:
            subprocess.run([PLUMB, "convert", ROOT /
                            "examples/queue-linearizable.hist",
                            f"{work}/a.bin", "--to", "binary"], check=True,
                           stderr=subprocess.DEVNULL)
            histories = list(plumbline.read(f"{work}/a.bin"))
        gc.collect()
        self.assertTrue(plumbline.check(histories[0], "queue").linearizable)


class Threads(unittest.TestCase):
    def test_checks_in_several_threads(self):
        histories = list(bad_histories(3))
        alone = [plumbline.check(h, Queue).verdict for h in histories]
        found = {}

        def work(i):
            found[i] = [plumbline.check(h, Queue, jobs=2).verdict
                        for h in histories]
        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(list(found.values()), [alone] * 4)

    def test_control_c_ends_a_check(self):
        class Slow(Queue):
            def step(self, state, name, args):
                time.sleep(0.01)
                return super().step(state + (len(state),), name, args)
        operations = [Operation(f"T{i}", "enq", (i,), call=0, ret=99)
                      for i in range(9)]
        operations.append(Operation("D", "deq", (), results=(77,), call=100,
                                    ret=101))
        history = plumbline.history_of(operations)
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            plumbline.check(history, Slow)


class Results(unittest.TestCase):
    def test_running_plumb(self):
        path = ROOT / "examples/queue-not-linearizable.hist"
        result, = plumbline.run("check", "--spec", "queue", path,
                                program=PLUMB)
        self.assertEqual(result.status, "violation")
        self.assertFalse(result.passed)
        self.assertEqual(result.core.operations[0]["name"], "enq")
        self.assertIsNone(result.reason)
        with self.assertRaises(plumbline.Error):
            plumbline.run("check", "--no-such-option", program=PLUMB)

    def test_reading_results(self):
        line = '{"format":2,"command":"check","status":"pass"}\n'
        self.assertTrue(next(plumbline.read_results([line, "\n"])).passed)
        for bad in ("", "[]", "{}", '{"format":3}', "{"):
            with self.assertRaises(plumbline.Error):
                list(plumbline.read_results([bad or "nothing"]))


class Page(unittest.TestCase):
    def test_the_code_of_the_page_runs(self):
        text = (ROOT / "docs/python.md").read_text()
        said = []
        names = {"print": lambda *words: said.append(" ".join(map(str, words)))}
        with tempfile.TemporaryDirectory() as work:
            os.symlink(PLUMB, f"{work}/plumb")
            os.symlink(ROOT / "examples", f"{work}/examples")
            path, here = os.environ["PATH"], os.getcwd()
            os.environ["PATH"] = f"{work}:{path}"
            os.chdir(work)
            try:
                for block in re.findall("```python\n(.*?)```", text, re.S):
                    exec(compile(block, "docs/python.md", "exec"), names)
            finally:
                os.chdir(here)
                os.environ["PATH"] = path
        shown = re.search("```text\n(.*?)```", text, re.S).group(1)
        self.assertEqual(said[:shown.count("\n")], shown.splitlines())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
