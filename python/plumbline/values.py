"""Values: None, booleans, integers of 64 bits, and texts.

A text of a history is bytes that are mostly UTF-8; others become surrogates,
as with names of files, so that nothing is lost."""
import ctypes

from .library import BOOL, C, INT, NEVER, NIL, STR, Value


def text_of(symbols, symbol):
    length = ctypes.c_size_t()
    at = C.plumb_symbol_text(symbols, symbol, ctypes.byref(length))
    return ctypes.string_at(at, length.value).decode("utf-8",
                                                     "surrogateescape")


def bytes_of(text):
    return text.encode("utf-8", "surrogateescape")


def from_value(symbols, value):
    """What a struct plumb_value is in Python."""
    if value.tag == NIL:
        return None
    if value.tag == BOOL:
        return bool(value.bits)
    if value.tag == INT:
        return value.bits - 2**64 if value.bits >> 63 else value.bits
    return text_of(symbols, value.bits)


def to_value(thing, symbol_of):
    """The other way; symbol_of(bytes) is the number of a text."""
    if thing is None:
        return Value(0, NIL, 0)
    if isinstance(thing, bool):
        return Value(int(thing), BOOL, 0)
    if isinstance(thing, int):
        if not -2**63 <= thing < 2**63:
            raise OverflowError(f"{thing} does not fit into 64 bits")
        return Value(thing % 2**64, INT, 0)
    if isinstance(thing, str):
        return Value(symbol_of(bytes_of(thing)), STR, 0)
    raise TypeError(f"{thing!r} is none of None, bool, int and str")


def to_values(things, symbol_of):
    """An array of them, and how many."""
    things = list(things)
    array = (Value * max(len(things), 1))()
    for i, thing in enumerate(things):
        array[i] = to_value(thing, symbol_of)
    return array, len(things)


def finder(symbols):
    """The number of a text that the history has, or of one it has not."""
    def find(data):
        return C.plumb_symbol_find(symbols, data, len(data))
    return find if symbols else lambda data: NEVER
