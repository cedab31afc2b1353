"""What the program `plumb` prints with --json, and running it.

docs/json-output.md describes the members of a result."""
import json
import os
import subprocess

from .errors import Error

FORMAT = 2
STATUSES = ("pass", "violation", "undecided", "error")


class Result(dict):
    """One result: a dict, whose members are attributes, too.

    A member that the result does not have is None as an attribute."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        value = self.get(name)
        return Result(value) if isinstance(value, dict) else value

    @property
    def passed(self):
        return self.get("status") == "pass"


def parse(line):
    """One line of --json."""
    try:
        result = json.loads(line)
    except ValueError as error:
        raise Error(f"no result of --json: {error}") from None
    if not isinstance(result, dict) or "format" not in result:
        raise Error("no result of --json: it has no format")
    if result["format"] != FORMAT:
        raise Error(f"a result of format {result['format']}; this package "
                    f"reads format {FORMAT}")
    return Result(result)


def read_results(source):
    """The results in a file, or in lines."""
    if isinstance(source, (str, os.PathLike)):
        with open(source, encoding="utf-8") as file:
            yield from read_results(list(file))
        return
    for line in source:
        if line.strip():
            yield parse(line)


def run(*words, program="plumb", **more):
    """Run `plumb WORD...` and return its results: run("explore", "queue.c").

    More arguments are those of subprocess.run().  If plumb ends without a
    result, that is an Error with what it said."""
    words = [os.fspath(word) for word in words]
    at = words.index("--") if "--" in words else len(words)
    done = subprocess.run([program, *words[:at], "--json", *words[at:]],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding="utf-8", errors="replace", check=False,
                          **more)
    results = list(read_results(done.stdout.splitlines()))
    if not results:
        raise Error(done.stderr.strip() or
                    f"plumb ended with status {done.returncode}")
    return results
