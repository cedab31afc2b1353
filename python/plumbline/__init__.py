"""plumbline - is this history linearizable?

Decides histories with libplumb, whose every answer an independent verifier has
accepted, against built-in specifications or classes of yours; and reads what
the program `plumb` prints with --json.  docs/python.md has examples.

    import plumbline

    for history in plumbline.read("queue.hist", spec="queue"):
        answer = plumbline.check(history, "queue")
        print(answer.verdict, answer.core)
"""
from .answers import Answer, check
from .errors import (Error, InputError, InternalError, OutOfMemory,
                     SpecificationError)
from .histories import (Builder, History, Operation, Text, history_of, read)
from .results import Result, read_results, run
from .specifications import UNKNOWN, Reply, Specification, ok

__all__ = ["Answer", "Builder", "Error", "History", "InputError",
           "InternalError", "Operation", "OutOfMemory", "Reply", "Result",
           "Specification", "SpecificationError", "Text", "UNKNOWN", "check",
           "history_of", "ok", "read", "read_results", "run"]
__version__ = "0.2.0"
