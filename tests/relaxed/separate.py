#!/usr/bin/env python3
"""separate.py PLUMB: the histories that separate relaxed specifications are as
docs/relaxed-objects.md says, row by row."""
import re
import subprocess
import sys
import tempfile


def events(history):
    """enq(1) deq=2 pop=empty, of thread P1; A:enq(1) of A."""
    for word in history.split():
        match = re.fullmatch(r"(?:(\w+):)?(\w+)(?:\((\d+)\))?(?:=(\w+))?", word)
        thread, name, argument, answer = match.groups()
        yield f"X {name}({argument or ''}) {thread or 'P1'}"
        if answer == "empty":
            yield f"X empty() {thread or 'P1'}"
        else:
            yield f"X ok({answer or ''}) {thread or 'P1'}"


def rows(path):
    for line in open(path, encoding="utf-8"):
        cells = [c.strip() for c in line.strip().strip("|").split("|")]
        if len(cells) == 3 and cells[0].startswith("`") and "=" in cells[0]:
            yield [re.findall(r"`([^`]+)`", c) for c in cells]


def is_legal(plumb, path, spec):
    run = subprocess.run([plumb, "check", "--spec", spec, path],
                         capture_output=True, text=True)
    if run.returncode not in (0, 1):
        sys.exit(f"{spec}: {run.stdout}{run.stderr}")
    return run.returncode == 0


def main():
    plumb = sys.argv[1]
    tried = wrong = 0
    for history, legal, illegal in rows("docs/relaxed-objects.md"):
        with tempfile.NamedTemporaryFile("w", suffix=".hist") as file:
            file.write("\n".join(events(history[0])) + "\n")
            file.flush()
            for spec in legal + illegal:
                tried += 1
                if is_legal(plumb, file.name, spec) != (spec in legal):
                    wrong += 1
                    print(f"{history[0]}: {spec}: "
                          f"{'not ' if spec in legal else ''}legal")
    print(f"{tried} verdicts, {wrong} not as documented")
    sys.exit(wrong or tried < 40)


main()
