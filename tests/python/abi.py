"""abi.py LIBRARY [--bless] - what programs see of the shared library.

Its soname, the names it exports and the layout of its structs are those of
interface.expected: who changes them means to, and raises the version.  The
names are the functions of include/plumb, no more and no fewer.  The structs of
python/plumbline are laid out as the compiler lays out those of include/plumb.
"""
import ctypes
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXPECTED = pathlib.Path(__file__).with_name("interface.expected")
LIBRARY = os.path.realpath(sys.argv[1])
os.environ["PLUMB_LIBRARY"] = LIBRARY
sys.path.insert(0, str(ROOT / "python"))
sys.dont_write_bytecode = True

from plumbline import library  # noqa: E402 needs both lines above

# What an object is given comes from whoever runs the object.
NOT_OURS = {"object.h"}
STRUCTS = {"Error": "plumb_error", "Value": "plumb_value", "Op": "plumb_op",
           "Origin": "plumb_origin", "History": "plumb_history",
           "Interval": "plumb_interval", "Core": "plumb_core",
           "CheckOptions": "plumb_check_options", "Answer": "plumb_answer",
           "Call": "plumb_call", "Reply": "plumb_reply",
           "UserSpec": "plumb_user_spec", "Signature": "plumb_signature"}
SIZES = ["plumb_certificate_step", "plumb_spec_ref", "plumb_sink",
         "plumb_clock"]


def output(*words):
    return subprocess.run(words, check=True, capture_output=True,
                          text=True).stdout


def dynamic():
    """Soname, needed libraries, exported names with their version."""
    text = output("readelf", "-dW", LIBRARY)
    soname = re.findall(r"SONAME.*\[(.*)\]", text)
    needed = re.findall(r"NEEDED.*\[(.*)\]", text)
    names = [line.split()[-1] for line in
             output("nm", "-D", "--defined-only", LIBRARY).splitlines()
             if " A " not in line]
    return soname, needed, sorted(names)


def declared():
    """The functions of the public headers."""
    found = set()
    for header in (ROOT / "include/plumb").glob("*.h"):
        if header.name in NOT_OURS:
            continue
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
        text = re.sub(r"static inline [^;{]*\{.*?\n\}", "", text, flags=re.S)
        text = re.sub(r"^[ \t]*#.*?(?<!\\)$", "", text, flags=re.S | re.M)
        found |= set(re.findall(r"\b(plumb_\w+)\([^()]*(?:\([^()]*\)[^()]*)*\)"
                                r"\s*;", text))
    return found


def fields():
    """The structs of the package, as (name in C, offset, size)."""
    for made, name in STRUCTS.items():
        struct = getattr(library, made)
        yield f"struct {name}", 0, ctypes.sizeof(struct)
        for field, *_ in struct._fields_:
            at = getattr(struct, field)
            yield f"struct {name}.{field}", at.offset, at.size


def compiled(names):
    """The same by the compiler."""
    lines = ["#include <plumb/plumb.h>", "#include <plumb/record.h>",
             "#include <stddef.h>", "#include <stdio.h>", "int main(void) {"]
    for name in names:
        struct, _, field = name.partition(".")
        at = f"offsetof({struct}, {field})" if field else "(size_t)0"
        of = f"(({struct} *)0)->{field}" if field else struct
        lines.append(f'printf("{name} %zu %zu\\n", {at}, sizeof({of}));')
    with tempfile.TemporaryDirectory() as work:
        source, program = f"{work}/a.c", f"{work}/a"
        pathlib.Path(source).write_text("\n".join(lines + ["}"]))
        output(os.environ.get("CC", "cc"), "-std=c17", "-I",
               str(ROOT / "include"), source, "-o", program)
        return output(program).splitlines()


def main():
    wrong = []
    soname, needed, names = dynamic()
    plain = {re.sub("@@.*", "", name) for name in names}
    if plain != declared():
        wrong.append("exported, but not in include/plumb: "
                     f"{sorted(plain - declared())}")
        wrong.append("in include/plumb, but not exported: "
                     f"{sorted(declared() - plain)}")
    if set(needed) - {"libc.so.6"}:
        wrong.append(f"the library needs {needed}")
    mine = [f"{name} {at} {size}" for name, at, size in fields()]
    theirs = compiled([line.split(" ")[0] + " " + line.split(" ")[1]
                       for line in mine])
    wrong += [f"python: {a}; the compiler: {b}"
              for a, b in zip(mine, theirs) if a != b]
    sizes = compiled([f"struct {name}" for name in SIZES])
    text = "\n".join([*soname, *names, *theirs, *sizes]) + "\n"
    if "--bless" in sys.argv:
        EXPECTED.write_text(text)
    elif text != EXPECTED.read_text():
        old = set(EXPECTED.read_text().splitlines())
        new = set(text.splitlines())
        wrong.append(f"the interface was {sorted(old - new)}, and is "
                     f"{sorted(new - old)}")
    print("\n".join(wrong) or f"{len(names)} names, {len(theirs)} layouts")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
