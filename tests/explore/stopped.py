#!/usr/bin/env python3
"""stopped.py PLUMB - who stops it by Ctrl-C is told of no fewer executions than
the progress line had shown, which never goes back."""
import os
import pty
import re
import select
import sys
import tempfile
import time

PLUMB = os.path.realpath(sys.argv[1])
LIMIT = 120  # seconds, for anything at all
LINES = 4    # of progress, before it is stopped
TEST = "enq(1) deq() enq(2) | enq(3) deq() enq(4) | enq(5) deq() deq()"
SHOWN = re.compile(rb"test \d+ of \d+, (\d+) schedules")


def start(directory, arguments):
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(directory)
        os.environ.update(TERM="xterm", LC_ALL="C.UTF-8")
        os.execv(PLUMB, ["plumb", "explore", "michael-scott", *arguments])
    return pid, fd


def read(fd):
    if not select.select([fd], [], [], 1)[0]:
        return None
    try:
        return os.read(fd, 65536)
    except OSError:  # the other side is closed
        return b""


def stop_when_shown(fd):
    """What appears on the terminal, until it has ended."""
    seen, stopped, end = b"", False, time.monotonic() + LIMIT
    while time.monotonic() < end:
        data = read(fd)
        if data == b"":
            break
        seen += data or b""
        if not stopped and len(SHOWN.findall(seen)) >= LINES:
            os.write(fd, b"\x03")
            stopped = True
    return seen


def check(directory, *arguments):
    pid, fd = start(directory, arguments)
    seen = stop_when_shown(fd)
    os.close(fd)
    os.waitpid(pid, 0)
    shown = [int(n) for n in SHOWN.findall(seen)]
    told = re.search(rb"\((\d+) schedules, incomplete\)", seen)
    if (told and b"interrupted" in seen and shown == sorted(shown)
            and int(told[1]) >= shown[-1]):
        return True
    print(f"plumb explore michael-scott {' '.join(arguments)}: shown {shown}")
    print(seen.decode(errors="replace"))
    return False


def main():
    one = ["--test", TEST, "--preemptions", "all"]
    many = ["--threads", "3", "--ops", "3", "--samples", "8"]
    with tempfile.TemporaryDirectory() as directory:
        good = [
            check(directory, *one, "--strategy", "dfs"),
            check(directory, *one, "--strategy", "dfs", "-j", "3"),
            check(directory, *one, "--strategy", "dpor", "-j", "3"),
            check(directory, *many, "--preemptions", "all", "-j", "3"),
        ]
    return 0 if all(good) else 1


sys.exit(main())
