"""What goes wrong.  A violation is an answer, never an error."""
from .library import EBUG, EMEMORY


class Error(Exception):
    """Base of all errors of this package."""


class InputError(Error):
    """A history or a specification cannot be read.

    `line` and `column` count from 1 and are 0 where no place is known; line 0
    with a column is a byte offset into a binary file."""

    def __init__(self, message, line=0, column=0):
        place = f"{line}:{column}: " if line else ""
        super().__init__(place + message)
        self.line = line
        self.column = column


class SpecificationError(Error):
    """A specification of yours raised an exception; it is the `__cause__`."""


class OutOfMemory(Error, MemoryError):
    """The memory of the machine, or of the limit, is used up."""


class InternalError(Error):
    """Plumbline's verifier rejected an answer: a bug of Plumbline."""


def from_library(error):
    """The exception for a struct plumb_error."""
    message = error.message.decode("utf-8", "replace")
    if error.status == EMEMORY:
        return OutOfMemory(message or "out of memory")
    if error.status == EBUG:
        return InternalError(message)
    return InputError(message, error.line, error.column)
