"""Histories: read from files, or built from calls and returns."""
import ctypes
import dataclasses
import os
import weakref
from typing import Any, Optional, Tuple

from .errors import InputError, OutOfMemory, from_library
from .library import (C, END, NEVER, NO_TIME, OK, OUTCOMES, Error, Interval,
                      Op, Signature)
from .library import History as StructHistory
from .specifications import specification_of
from .values import bytes_of, from_value, text_of, to_values


class Text(str):
    """A history as a text, for read(); other strings are names of files."""


@dataclasses.dataclass(frozen=True)
class Operation:
    """One operation: the closed interval from its call to its return.

    `call` and `ret` are places in the sequence of all events, or times for
    history_of(); a pending operation has `ret` None.  Its `outcome` is "ok",
    "fail" (took no effect), "info" (nobody knows) or "open" (no response)."""
    thread: str
    name: str
    args: Tuple[Any, ...] = ()
    term: Optional[str] = "ok"
    results: Tuple[Any, ...] = ()
    call: int = 0
    ret: Optional[int] = None
    object: str = ""
    outcome: str = "ok"
    line: Optional[int] = None

    @property
    def pending(self):
        return self.outcome in ("info", "open")

    def __str__(self):
        said = f"{self.name}({', '.join(map(repr, self.args))})"
        if self.outcome != "ok":
            return f"{said} {self.outcome}"
        if self.term != "ok" or not self.results:
            said += f" = {self.term}"
        if self.results:
            shown = ", ".join(map(repr, self.results))
            said += f"({shown})" if self.term != "ok" else f" = {shown}"
        return said


class History:
    """A finite sequence of operations, immutable.

    Made by read(), Builder and history_of()."""

    def __init__(self, struct, keep=None, note=None):
        self._struct = struct
        self._keep = keep  # bytes that the struct may point into
        self.note = note   # what was left out, in words, or None
        # a reference to the struct alone, so that it is freed once
        self._finalizer = weakref.finalize(self, _release, struct, keep)

    @property
    def spec(self):
        """The specification that its source names, or None."""
        number = self._struct.spec
        return text_of(self._struct.symbols, number) if number else None

    def __len__(self):
        return self._struct.count

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError("no such operation")
        return self._operation(index)

    def _operation(self, index):
        h = self._struct
        o = h.op[index]
        values = [from_value(h.symbols, h.value[o.values + i])
                  for i in range(o.nargs + o.nres)]
        outcome = OUTCOMES[o.outcome]
        line = h.origin[2 * index].line if h.origin else 0
        return Operation(
            thread=text_of(h.symbols, h.thread[o.thread]),
            object=text_of(h.symbols, h.object[o.object]),
            name=text_of(h.symbols, o.name), args=tuple(values[:o.nargs]),
            term=text_of(h.symbols, o.term) if outcome == "ok" else None,
            results=tuple(values[o.nargs:]), call=o.call,
            ret=None if o.resp == NEVER else o.resp, outcome=outcome,
            line=line or None)


def _release(struct, _keep):
    C.plumb_history_release(ctypes.byref(struct))


# ---- reading ----

def _bytes_of_source(source):
    if isinstance(source, (bytes, bytearray)):
        return bytes(source)
    if isinstance(source, Text):
        return bytes_of(source)
    with open(os.fspath(source), "rb") as file:
        return file.read()


def _format_number(name):
    number = C.plumb_format_by_name(name.encode()) if name else 0
    if name and not number:
        raise InputError(f"there is no format {name!r}")
    return number


def read(source, spec=None, format=None):
    """Every history of a file, or of bytes, one after the other.

    The format is recognised by its content unless it is named.  Some formats
    (Jepsen's) have one value for arguments and results; `spec` tells them
    apart.  A malformed history is an InputError."""
    data = _bytes_of_source(source)
    buffer = ctypes.create_string_buffer(data, max(len(data), 1))
    reader = ctypes.c_void_p()
    error = Error()
    if C.plumb_reader_open(ctypes.byref(reader), buffer, len(data),
                           _format_number(format), 0, None,
                           ctypes.byref(error)) != OK:
        raise from_library(error)
    try:
        known = specification_of(spec) if spec else None
        if known:
            takes = ctypes.cast(C.plumb_spec_takes, ctypes.c_void_p)
            C.plumb_reader_signature(reader, Signature(takes, known.pointer))
        C.plumb_reader_is_whole(reader)
        while True:
            history = _read_next(reader, buffer)
            if history is None:
                return
            yield history
    finally:
        C.plumb_reader_close(reader)


def _read_next(reader, buffer):
    error = Error()
    struct = StructHistory()
    status = C.plumb_reader_next(reader, ctypes.byref(struct),
                                 ctypes.byref(error))
    if status == END:
        return None
    if status != OK:
        raise from_library(error)
    note = C.plumb_reader_note(reader)
    history = History(struct, buffer, note.decode() if note else None)
    if C.plumb_reader_validate(reader, ctypes.byref(struct),
                               ctypes.byref(error)) != OK:
        raise from_library(error)
    return history


# ---- building ----

class Builder:
    """A history from calls and returns, in the order they happen.

        b = plumbline.Builder()
        b.call("P1", "enq", 1)
        b.respond("P1")
        history = b.finish()
    """

    def __init__(self, spec=None):
        self._pointer = C.plumb_builder_new(None)
        if not self._pointer:
            raise OutOfMemory("out of memory")
        self._finalizer = weakref.finalize(self, C.plumb_builder_free,
                                           self._pointer)
        if spec:
            C.plumb_builder_spec(self._pointer, self._symbol(bytes_of(spec)))

    def _symbol(self, data):
        number = C.plumb_builder_symbol(self._pointer, data, len(data))
        if number == NEVER:
            raise OutOfMemory("out of memory")
        return number

    def _name(self, text):
        return self._symbol(bytes_of(str(text)))

    def call(self, thread, name, *args, object=""):
        """The thread invokes the operation."""
        values, count = to_values(args, self._symbol)
        error = Error()
        if C.plumb_builder_call(self._pointer, self._name(thread),
                                self._name(object), self._name(name), values,
                                count, None, ctypes.byref(error)) != OK:
            raise from_library(error)

    def respond(self, thread, *results, term="ok", outcome="ok"):
        """Its open call returns; or it failed, or nobody knows."""
        if outcome not in OUTCOMES[:3]:
            raise ValueError(f"{outcome!r} is none of 'ok', 'fail', 'info'")
        values, count = to_values(results, self._symbol)
        error = Error()
        if C.plumb_builder_respond(
                self._pointer, self._name(thread), NEVER,
                OUTCOMES.index(outcome), self._name(term), values, count,
                None, ctypes.byref(error)) != OK:
            raise from_library(error)

    def add(self, operation):
        """A whole operation, with times, in any order; not to be mixed with
        call() and respond()."""
        o = operation
        if len(o.args) > 255 or len(o.results) > 255:
            raise InputError("an operation has up to 255 values")
        values, _ = to_values((*o.args, *o.results), self._symbol)
        interval = Interval(
            start=o.call, end=NO_TIME if o.ret is None else o.ret,
            thread=self._name(o.thread), values=values,
            op=Op(object=self._name(o.object), name=self._name(o.name),
                  term=self._name(o.term or "ok"), nargs=len(o.args),
                  nres=len(o.results), outcome=OUTCOMES.index(o.outcome)))
        error = Error()
        if C.plumb_builder_interval(self._pointer, ctypes.byref(interval),
                                    ctypes.byref(error)) != OK:
            raise from_library(error)

    def finish(self, returns_first=False):
        """The history; the builder begins another.  At equal times a call
        comes before a return, so that they overlap, unless returns_first."""
        struct = StructHistory()
        error = Error()
        if C.plumb_builder_finish(self._pointer, int(returns_first),
                                  ctypes.byref(struct),
                                  ctypes.byref(error)) != OK:
            raise from_library(error)
        return History(struct)


def history_of(operations, spec=None, returns_first=False):
    """A history of operations, whose `call` and `ret` are times."""
    builder = Builder(spec)
    for operation in operations:
        builder.add(operation)
    return builder.finish(returns_first)
