"""Is this history linearizable?"""
import ctypes
import dataclasses
import threading
from typing import List, Optional, Tuple

from .errors import InputError, OutOfMemory, from_library
from .histories import Operation
from .library import (C, EMEMORY, ESTOP, ETIME, OK, CheckOptions, Error)
from .library import Answer as StructAnswer
from .specifications import specification_of

VERDICTS = ("linearizable", "not linearizable", "undecided")
ALGORITHMS = ("auto", "search", "wing-gong", "monitor")
REASONS = {ETIME: "time", EMEMORY: "memory", ESTOP: "interrupted"}


@dataclasses.dataclass(frozen=True)
class Answer:
    """A verdict, and what proves it; the verifier has accepted it.

    verdict      "linearizable", "not linearizable" or "undecided"
    reason       undecided: "time", "memory", "steps", "unverified", "unknown",
                 "no monitor" or "interrupted"
    order        linearizable: operations in an order that explains them
    core         not linearizable: a part that is a violation by itself, its
                 operations, each with `ret` None where the violation remains
                 whatever the operation returns
    event        not linearizable: the first and the last event of which one
                 made it a violation, from 0
    prefix       undecided: how many events from the start were explained
    minimal      not linearizable: nothing can be left out of the core
    """
    verdict: str
    algorithm: str
    reason: Optional[str] = None
    order: Tuple[int, ...] = ()
    core: Tuple[Operation, ...] = ()
    core_indexes: Tuple[int, ...] = ()
    event: Optional[Tuple[int, int]] = None
    prefix: Optional[int] = None
    minimal: bool = False
    parts: int = 0
    configurations: int = 0
    steps: int = 0

    @property
    def linearizable(self):
        """True, False, or None if it is undecided."""
        return {"linearizable": True,
                "not linearizable": False}.get(self.verdict)


class Budget:
    """A limit of time and memory; stop() ends what runs on it."""

    def __init__(self, timeout, memory):
        milliseconds = 0 if timeout is None else max(1, round(timeout * 1000))
        self.pointer = C.plumb_budget_new(milliseconds, memory or 0)
        if not self.pointer:
            raise OutOfMemory("out of memory")

    def stop(self):
        C.plumb_budget_stop(self.pointer)

    def free(self):
        C.plumb_budget_free(self.pointer)


def _in_a_thread(work, stop):
    """work() where signals cannot delay it: Ctrl-C calls stop()."""
    made: List[int] = []
    thread = threading.Thread(target=lambda: made.append(work()), daemon=True)
    thread.start()
    try:
        thread.join()
    except BaseException:
        stop()
        thread.join()
        raise
    return made[0]


def check(history, spec=None, *, algorithm="auto", timeout=None, memory=None,
          jobs=1, whole=False, core=True, most_steps=0):
    """Decide a history against a specification.

    `spec` is a name such as "queue:cap=4", a Specification of yours, or None
    if the history names one.  `timeout` is in seconds, `memory` in bytes;
    `most_steps` bounds the steps of the specification, so that the answer does
    not depend on the machine."""
    if algorithm not in ALGORITHMS:
        raise ValueError(f"{algorithm!r} is none of {ALGORITHMS}")
    spec = spec or history.spec
    if spec is None:
        raise InputError("no specification is given, and the history names "
                         "none")
    bound = specification_of(spec)
    budget = Budget(timeout, memory)
    options = CheckOptions(algorithm=ALGORITHMS.index(algorithm), whole=whole,
                           no_core=not core, jobs=jobs, most_steps=most_steps,
                           budget=budget.pointer)
    struct, error = StructAnswer(), Error()

    def decide():
        return C.plumb_check(ctypes.byref(history._struct), bound.pointer,
                             ctypes.byref(options), ctypes.byref(struct),
                             ctypes.byref(error))

    status = None
    try:
        if bound.adapter:
            bound.adapter.stop = budget.stop
        status = _in_a_thread(decide, budget.stop)
        if bound.adapter:
            bound.adapter.raise_failure()
        if status != OK:
            raise from_library(error)
        return _answer(history, struct)
    finally:
        if bound.adapter:
            bound.adapter.stop = None
        if status == OK:
            C.plumb_answer_release(ctypes.byref(struct))
        budget.free()


def _reason(struct):
    if struct.unverified:
        return "unverified"
    if struct.unknown:
        return "unknown"
    if struct.interrupted:
        return "steps"
    return REASONS.get(struct.why, "no monitor")


def _core_operations(history, core):
    for i in range(core.count):
        operation = history[core.op[i]]
        cut = operation.ret is None or operation.ret >= core.cut
        if cut or core.forgotten[i]:
            operation = dataclasses.replace(operation, ret=None, results=(),
                                            outcome="open", term=None)
        yield operation


def _answer(history, struct):
    verdict = VERDICTS[struct.verdict]
    made = {}
    if verdict == "linearizable":
        made["order"] = tuple(struct.order[:struct.order_count])
    elif verdict == "undecided":
        made.update(reason=_reason(struct), prefix=struct.prefix)
    else:
        made.update(core=tuple(_core_operations(history, struct.core)),
                    core_indexes=tuple(struct.core.op[:struct.core.count]),
                    event=(struct.maybe, struct.sure),
                    minimal=struct.minimal)
    return Answer(verdict, ALGORITHMS[struct.algorithm], parts=struct.parts,
                  configurations=struct.configurations, steps=struct.steps,
                  **made)
