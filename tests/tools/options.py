"""options.py PLUMB [BUILD] - help, man page and completion of every command
name the same options; and bash, zsh and fish, as far as they are at hand,
complete a command, an option and a specification when a person types them.

Of the manual the rows are compared, and whole pages where BUILD has them.
"""
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLUMB = os.path.realpath(sys.argv[1])
BUILD = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
OWN = {"cc", "c++"}  # their words are the compiler's
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"],
             f". '{ROOT}/completions/plumb.bash'"),
    "zsh": (["zsh", "-f", "-i"],
            f"fpath=('{ROOT}/completions' $fpath); autoload -Uz compinit; "
            "compinit -u -D"),
    "fish": (["fish", "--no-config", "-i"],
             f"source '{ROOT}/completions/plumb.fish'"),
}
TYPED = [("plumb chec", "plumb check"),
         ("plumb check --algor", "plumb check --algorithm"),
         ("plumb check --spec semap", "plumb check --spec semaphore")]


def output(*words):
    return subprocess.run([PLUMB, *words], check=False, capture_output=True,
                          text=True).stdout


def options_of_help(command):
    text = output(command, "--help")
    rows = re.findall(r"^  (?:-\w, |    )--([a-z][a-z-]*)", text, re.M)
    return set(rows)


def options_of_rows(text):
    """Those that an entry of a man page in scdoc begins with."""
    return set(re.findall(r"^\*(?:-\w\*, \*)?--([a-z][a-z-]*)", text, re.M))


def options_of_page(command):
    page = BUILD and BUILD / f"plumb-{command}.1"
    if not page or not page.exists():
        return None
    text = page.read_text().replace("\\-", "-")
    if text.startswith(".so "):
        return None  # the page of another command
    return set(re.findall(r"^\\fB(?:-\w\\fR, \\fB)?--([a-z][a-z-]*)", text,
                          re.M))


def options_of_completion(command):
    return {line.split("\t")[0][2:] for line in
            output("--complete", command, "--").splitlines()
            if line.startswith("--") and len(line.split("\t")[0]) > 2}


def compare_options(command):
    told = options_of_help(command)
    if not told:
        yield f"{command}: help names no options"
    seen = {"the man page's rows": options_of_rows(
                output("help", "--man", command)),
            "the man page": options_of_page(command),
            "completion": options_of_completion(command)}
    for where, found in seen.items():
        if found is not None and found != told:
            yield (f"{command}: help has {sorted(told - found)} and {where} "
                   f"has {sorted(found - told)} more than the other")


# ---- shells ----

def read_until(fd, pattern, seconds=20):
    seen, end = "", time.monotonic() + seconds
    while time.monotonic() < end:
        if select.select([fd], [], [], 0.1)[0]:
            try:
                seen += os.read(fd, 65536).decode("utf-8", "replace")
            except OSError:
                break
        if re.search(pattern, seen):
            return seen
    return seen


def complete_in(shell, work):
    words, begin = SHELLS[shell]
    child, fd = pty.fork()
    if child == 0:
        os.chdir(work)
        os.environ.update(PATH=f"{work}:{os.environ['PATH']}", HOME=work,
                          TERM="xterm", LC_ALL="C.UTF-8", PS1="> ",
                          XDG_CACHE_HOME=work, XDG_CONFIG_HOME=work,
                          XDG_DATA_HOME=work)
        os.execvp(words[0], words)
    try:
        os.write(fd, f"{begin}; echo rea''dy\n".encode())
        if "ready" not in read_until(fd, r"\bready\r?\n"):
            return [f"{shell}: does not start"]
        return [f"{shell}: {typed!r} becomes {got!r}"
                for typed, wanted in TYPED
                if (got := complete(fd, typed)) != wanted]
    finally:
        os.close(fd)
        os.waitpid(child, 0)


def complete(fd, typed):
    """What a line becomes by a tab: it is made the words of an echo."""
    os.write(fd, typed.encode() + b"\t")
    read_until(fd, r"(?!)", 1.5)  # whatever it shows
    os.write(fd, b"\x01echo 'GO''T' \x05 END\n")
    seen = read_until(fd, r"GOT .* END\s*\r?\n")
    found = re.findall(r"GOT (.*?) END\s*\r?\n", seen)
    return re.sub(r"\s+", " ", found[-1]).strip() if found else seen


def main():
    wrong = []
    commands = [line.split("\t")[0] for line in
                output("--complete", "").splitlines()]
    commands = [c for c in commands if not c.startswith("-") and c not in OWN]
    for command in commands:
        wrong += compare_options(command)
    shells = [s for s in SHELLS if shutil.which(s)]
    for shell in shells:
        with tempfile.TemporaryDirectory() as work:
            os.symlink(PLUMB, f"{work}/plumb")
            wrong += complete_in(shell, work)
    print("\n".join(wrong) or f"{len(commands)} commands, {', '.join(shells)}")
    return 1 if wrong or len(commands) < 14 else 0


if __name__ == "__main__":
    sys.exit(main())
