"""libplumb as ctypes sees it: the structs and functions of include/plumb.

A test compares each struct with the C compiler's, so nothing here is believed.
"""
import ctypes
import os
import pathlib
from ctypes import (CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p,
                    c_int, c_size_t, c_uint, c_uint8, c_uint32, c_uint64,
                    c_void_p)

NAME = "libplumb.so.0.2"

OK, END, EINPUT, EIO, EMEMORY, ETIME, ESTOP, EBUG = range(8)
NIL, BOOL, INT, STR = range(4)
OUTCOMES = ("ok", "fail", "info", "open")
NEVER = 2**32 - 1
NO_TIME = 2**64 - 1
MAX_RESULTS = 100
SPEC_VERSION = 1
REPLY_UNKNOWN = 2**32 - 1


class Error(Structure):  # struct plumb_error
    _fields_ = [("status", c_int), ("line", c_uint64), ("column", c_uint64),
                ("message", c_char * 256)]


class Value(Structure):  # struct plumb_value
    _fields_ = [("bits", c_uint64), ("tag", c_uint32), ("zero", c_uint32)]


class Op(Structure):  # struct plumb_op
    _fields_ = [("call", c_uint32), ("resp", c_uint32), ("thread", c_uint32),
                ("object", c_uint32), ("name", c_uint32), ("term", c_uint32),
                ("values", c_uint32), ("nargs", c_uint8), ("nres", c_uint8),
                ("outcome", c_uint8), ("zero", c_uint8)]


class Origin(Structure):  # struct plumb_origin
    _fields_ = [("line", c_uint32), ("column", c_uint32)]


class History(Structure):  # struct plumb_history
    _fields_ = [("op", POINTER(Op)), ("value", POINTER(Value)),
                ("thread", POINTER(c_uint32)), ("object", POINTER(c_uint32)),
                ("symbols", c_void_p), ("origin", POINTER(Origin)),
                ("time", POINTER(c_uint64)), ("count", c_uint32), ("values", c_uint32),
                ("threads", c_uint32), ("objects", c_uint32),
                ("events", c_uint32), ("spec", c_uint32), ("valid", c_bool),
                ("owner", c_void_p)]


class Interval(Structure):  # struct plumb_interval
    _fields_ = [("start", c_uint64), ("end", c_uint64), ("thread", c_uint32),
                ("op", Op), ("values", POINTER(Value)), ("origin", Origin)]


class Core(Structure):  # struct plumb_core
    _fields_ = [("object", c_uint32), ("cut", c_uint32), ("count", c_uint32),
                ("op", POINTER(c_uint32)), ("forgotten", POINTER(c_uint8))]


class CheckOptions(Structure):  # struct plumb_check_options
    _fields_ = [("algorithm", c_int), ("whole", c_bool), ("no_core", c_bool),
                ("jobs", c_uint), ("most_steps", c_uint64),
                ("budget", c_void_p)]


class Answer(Structure):  # struct plumb_answer
    _fields_ = [("verdict", c_int), ("why", c_int), ("unverified", c_bool),
                ("interrupted", c_bool), ("unknown", c_bool),
                ("algorithm", c_int), ("declined", c_char_p),
                ("parts", c_uint32), ("monitored", c_uint32),
                ("configurations", c_uint64), ("steps", c_uint64),
                ("order", POINTER(c_uint32)), ("order_count", c_uint32),
                ("core", Core), ("minimal", c_bool), ("maybe", c_uint32),
                ("sure", c_uint32), ("certificate", c_void_p),
                ("certificate_count", c_uint32), ("prefix", c_uint32),
                ("owner", c_void_p)]


CHOOSE = CFUNCTYPE(c_uint, c_void_p, c_uint)


class Call(Structure):  # struct plumb_call
    _fields_ = [("op", c_uint), ("nargs", c_uint), ("args", POINTER(Value)),
                ("thread", c_uint), ("choose", CHOOSE), ("chooser", c_void_p),
                ("symbols", c_void_p), ("spec", c_void_p)]


class Reply(Structure):  # struct plumb_reply
    _fields_ = [("term", c_char_p), ("nres", c_uint),
                ("res", Value * MAX_RESULTS)]


STEP = CFUNCTYPE(c_bool, POINTER(c_uint64), POINTER(Call), POINTER(Reply))


class UserSpec(Structure):  # struct plumb_user_spec
    _fields_ = [("version", c_uint), ("name", c_char_p),
                ("state_size", c_size_t), ("ops", POINTER(c_char_p)),
                ("init", c_void_p), ("step", STEP)]


class Signature(Structure):  # struct plumb_signature
    _fields_ = [("takes", c_void_p), ("context", c_void_p)]


FUNCTIONS = {  # what each returns, and takes
    "plumb_budget_new": (c_void_p, c_uint64, c_size_t),
    "plumb_budget_free": (None, c_void_p),
    "plumb_budget_stop": (None, c_void_p),
    "plumb_check": (c_int, POINTER(History), c_void_p, POINTER(CheckOptions),
                    POINTER(Answer), POINTER(Error)),
    "plumb_answer_release": (None, POINTER(Answer)),
    "plumb_format_name": (c_char_p, c_int),
    "plumb_format_by_name": (c_int, c_char_p),
    "plumb_reader_open": (c_int, POINTER(c_void_p), c_void_p, c_size_t, c_int,
                          c_int, c_void_p, POINTER(Error)),
    "plumb_reader_format": (c_int, c_void_p),
    "plumb_reader_signature": (None, c_void_p, Signature),
    "plumb_reader_is_whole": (None, c_void_p),
    "plumb_reader_note": (c_char_p, c_void_p),
    "plumb_reader_next": (c_int, c_void_p, POINTER(History), POINTER(Error)),
    "plumb_reader_validate": (c_int, c_void_p, POINTER(History),
                              POINTER(Error)),
    "plumb_reader_close": (None, c_void_p),
    "plumb_symbol_text": (c_void_p, c_void_p, c_uint32, POINTER(c_size_t)),
    "plumb_symbol_find": (c_uint32, c_void_p, c_char_p, c_size_t),
    "plumb_history_release": (None, POINTER(History)),
    "plumb_builder_new": (c_void_p, c_void_p),
    "plumb_builder_free": (None, c_void_p),
    "plumb_builder_symbol": (c_uint32, c_void_p, c_char_p, c_size_t),
    "plumb_builder_spec": (None, c_void_p, c_uint32),
    "plumb_builder_call": (c_int, c_void_p, c_uint32, c_uint32, c_uint32,
                           POINTER(Value), c_size_t, POINTER(Origin),
                           POINTER(Error)),
    "plumb_builder_respond": (c_int, c_void_p, c_uint32, c_uint32, c_int,
                              c_uint32, POINTER(Value), c_size_t,
                              POINTER(Origin), POINTER(Error)),
    "plumb_builder_interval": (c_int, c_void_p, POINTER(Interval),
                               POINTER(Error)),
    "plumb_builder_finish": (c_int, c_void_p, c_int, POINTER(History),
                             POINTER(Error)),
    "plumb_spec_parse": (c_int, c_char_p, POINTER(c_void_p), POINTER(Error)),
    "plumb_spec_from_user": (c_int, POINTER(UserSpec), POINTER(c_void_p),
                             POINTER(Error)),
    "plumb_spec_free": (None, c_void_p),
    "plumb_spec_takes": (c_bool, c_void_p, c_char_p, c_size_t, c_size_t),
}


def candidates():
    """Where the library may be: beside this package, which may be moved with
    it, or where the system looks."""
    named = os.environ.get("PLUMB_LIBRARY")
    if named:
        return [named]
    # LIB/python3.11/dist-packages/plumbline/library.py
    above = pathlib.Path(__file__).resolve().parents
    found = []
    for up in (above[3], above[2]) if len(above) > 3 else ():
        found += [up / NAME, *sorted(up.glob(f"*/{NAME}"))]
    return [str(path) for path in found if path.exists()] + [NAME]


def load():
    """The library, with the types of its functions."""
    said = []
    for path in candidates():
        try:
            library = ctypes.CDLL(path)
        except OSError as error:
            said.append(str(error))
            continue
        for name, (result, *arguments) in FUNCTIONS.items():
            function = getattr(library, name)
            function.restype = result
            function.argtypes = arguments
        return library
    raise ImportError(f"{'; '.join(said)}; set PLUMB_LIBRARY to the path of "
                      f"{NAME}")


C = load()
