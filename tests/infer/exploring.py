"""exploring.py - run plumb, and read what it and telling_host.c say."""
import json
import os
import re
import subprocess
import tempfile

from serial_histories import Judge, Observed

# Specifications that are not deterministic: --spec infer says so of tests that
# they allow.
RELAXED = re.compile("semiqueue|stuttering-queue|setlin:|.*[:,](k|early|late|segment)=")

BOUNDS = ("0", "1", "2", "all")
STRATEGIES = ("dfs", "dpor", "states")


class Failed(Exception):
    """The program ended as it should not have."""


class Plumb:
    def __init__(self, plumb, host=None):
        self.plumb = os.path.realpath(plumb)
        self.host = host and os.path.realpath(host)
        self.folder = tempfile.TemporaryDirectory()
        self.at = self.folder.name
        self.told = os.path.join(self.at, "told")
        self.environment = dict(
            os.environ, LC_ALL="C.UTF-8", TELL_EXECUTIONS=self.told,
            XDG_CACHE_HOME=os.path.join(self.at, "cache"))
        if self.host:
            self.environment["PLUMB_HOST"] = self.host
        for name in ("CC", "CFLAGS"):
            self.environment.pop(name, None)
        os.mkdir(os.path.join(self.at, "cache"))

    def path(self, name):
        return os.path.join(self.at, name)

    def run(self, *words, seconds=600):
        return subprocess.run(
            [self.plumb, *words], cwd=self.at, env=self.environment,
            stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds,
            check=False)

    def must(self, *words):
        ran = self.run(*words)
        if ran.returncode:
            raise Failed(ran.stderr.decode(errors="replace"))

    @staticmethod
    def is_asked_for(execution, options):
        """Not one of those by which a report tries other options."""
        given = dict(zip(options, options[1:]))
        return all(execution[what] == given.get("--" + what, "")
                   for what in ("nondet", "async")) and not (
                       given.get("--spec") == "infer" and execution["spec"])

    def explore(self, obj, *options):
        """What it prints, as objects; and the executions that it saw."""
        if os.path.exists(self.told):
            os.remove(self.told)
        ran = self.run("explore", obj, "--json", "--no-minimise",
                       "--preemptions", "2", *options)
        if ran.returncode not in (0, 1, 3):
            raise Failed("plumb explore %s: exit %d: %s" % (
                " ".join([obj, *map(repr, options)]), ran.returncode,
                ran.stderr.decode(errors="replace")))
        results = [json.loads(line) for line in ran.stdout.splitlines()]
        if not results:
            raise Failed("no result: " + ran.stderr.decode(errors="replace"))
        told = []
        if os.path.exists(self.told):
            with open(self.told, encoding="ascii") as f:
                told = [json.loads(line) for line in f]
        told = [x for x in told if self.is_asked_for(x, options)]
        for execution in told:
            del execution["spec"]  # nothing of what happened
        return results, told

    def objects(self):
        """Of the library: dictionaries of what its index says."""
        found = []
        for line in self.run("list", "objects").stdout.decode().splitlines():
            words = line.split()
            if line[:2] == "  " and line[2:3] not in ("", " "):
                found.append(words[0])
        for name in found:
            about = {"name": name}
            text = self.run("list", "objects", name).stdout.decode()
            for line in text.splitlines()[1:]:
                words = line.split(None, 1)
                if len(words) == 2:
                    about[words[0]] = words[1]
            yield about


def read_observations(folder):
    """By test."""
    judges = {}
    if os.path.isfile(folder):
        observed = Observed(folder)
        return {observed.test: Judge(observed)}
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        observed = Observed(os.path.join(folder, name))
        judges[observed.test] = Judge(observed)
    return judges
