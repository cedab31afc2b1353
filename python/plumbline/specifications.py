"""Specifications: built-in ones by name, and classes of yours.

The library copies and compares states as bytes.  A state of a class is any
hashable thing; its bytes are its number among those that were met."""
import ctypes
import weakref

from .errors import SpecificationError, from_library
from .library import (C, MAX_RESULTS, OK, REPLY_UNKNOWN, SPEC_VERSION, STEP,
                      Error, UserSpec, Value)
from .values import bytes_of, finder, from_value, to_values

UNKNOWN = object()  # as a reply: nobody knows what is answered here


class Reply:
    """What an operation answers: a term, and results."""

    def __init__(self, term, *results):
        if not isinstance(term, str):
            raise TypeError(f"the term of a reply is a str, not {term!r}")
        self.term = term
        self.results = results


def ok(*results):
    """The normal reply."""
    return Reply("ok", *results)


class Specification:
    """A sequential specification; make a class of yours from it.

    operations  a dict from names to numbers of arguments
    initial     the first state: anything hashable
    step        (self, state, name, args) -> what may happen

    step returns (state, reply), where the reply is ok(...), Reply("empty")
    or UNKNOWN; a list of those, of which each may happen; or None or [] if the
    operation cannot return in this state.  It must be a function: whenever it
    gets the same, it returns the same."""

    operations = {}
    initial = None

    def step(self, state, name, args):
        raise NotImplementedError("step")


def outcomes_of(made):
    """What step() returned, as a list."""
    if made is None:
        return []
    pairs = [made] if isinstance(made, tuple) else list(made)
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2 or \
                not (isinstance(pair[1], Reply) or pair[1] is UNKNOWN):
            raise TypeError(f"step returned {pair!r} instead of a state and a "
                            "reply, such as (state, ok())")
    return pairs


class Adapter:
    """A class of yours as a struct plumb_user_spec."""

    def __init__(self, specification):
        self.yours = specification
        self.names = list(specification.operations)
        self.states = [specification.initial]
        self.numbers = {specification.initial: 0}
        self.known = {}     # outcomes of steps
        self.terms = {}     # bytes that replies point to
        self.failure = None
        self.stop = None    # called when something failed
        ops = [bytes_of(f"{name}/{count}")
               for name, count in specification.operations.items()]
        self.struct = UserSpec(
            version=SPEC_VERSION,
            name=bytes_of(type(specification).__name__), state_size=8,
            ops=(ctypes.c_char_p * (len(ops) + 1))(*ops, None),
            step=STEP(self._step))

    def _number(self, state):
        number = self.numbers.setdefault(state, len(self.states))
        if number == len(self.states):
            self.states.append(state)
        return number

    def _outcomes(self, number, call):
        """Pairs of the number of a state and a reply."""
        args = tuple(from_value(call.symbols, call.args[i])
                     for i in range(call.nargs))
        # 1 and True are equal, and not the same argument
        key = (number, call.op, args, tuple(map(type, args)))
        if key not in self.known:
            made = self.yours.step(self.states[number], self.names[call.op],
                                   args)
            self.known[key] = [(self._number(state), reply)
                               for state, reply in outcomes_of(made)]
        return self.known[key]

    def _answer(self, reply, to, symbols):
        if reply is UNKNOWN:
            to.nres = REPLY_UNKNOWN
            return
        if len(reply.results) > MAX_RESULTS:
            raise ValueError(f"a reply has up to {MAX_RESULTS} results")
        to.term = self.terms.setdefault(reply.term, bytes_of(reply.term))
        values, count = to_values(reply.results, finder(symbols))
        to.nres = count
        ctypes.memmove(to.res, values, count * ctypes.sizeof(Value))

    def _step(self, state, call, to):
        if self.failure is not None:
            return False
        try:
            call = call.contents
            outcomes = self._outcomes(state[0], call)
            if not outcomes:
                return False
            at = 0
            if len(outcomes) > 1:
                at = call.choose(call.chooser, len(outcomes))
            state[0], reply = outcomes[at]
            self._answer(reply, to.contents, call.symbols)
            return True
        except BaseException as failure:  # nothing may pass through C
            self.failure = failure
            if self.stop:
                self.stop()
            return False

    def raise_failure(self):
        """What step() raised, if it did, as an error."""
        failure, self.failure = self.failure, None
        if failure is not None:
            raise SpecificationError(
                f"{type(self.yours).__name__}.step: "
                f"{type(failure).__name__}: {failure}") from failure


class Bound:
    """A struct plumb_spec, and what it needs."""

    def __init__(self, pointer, adapter=None):
        self.pointer = pointer
        self.adapter = adapter
        self._finalizer = weakref.finalize(self, C.plumb_spec_free, pointer)


def specification_of(spec):
    """A name such as "queue:cap=4", or a Specification, as the library has
    it."""
    error = Error()
    pointer = ctypes.c_void_p()
    if isinstance(spec, Bound):
        return spec
    if isinstance(spec, str):
        if C.plumb_spec_parse(bytes_of(spec), ctypes.byref(pointer),
                              ctypes.byref(error)) != OK:
            raise from_library(error)
        return Bound(pointer)
    if isinstance(spec, type) and issubclass(spec, Specification):
        spec = spec()
    if not isinstance(spec, Specification):
        raise TypeError(f"{spec!r} is neither the name of a specification nor "
                        "a Specification")
    adapter = Adapter(spec)
    if C.plumb_spec_from_user(ctypes.byref(adapter.struct),
                              ctypes.byref(pointer),
                              ctypes.byref(error)) != OK:
        raise from_library(error)
    return Bound(pointer, adapter)
