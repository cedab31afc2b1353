"""hostile.py - names that were chosen to break what is written of them, and
what has such names: histories, lines of code, models, files."""
import json
import random

FIXED = ["</script><script>alert(1)</script>", "\"'><img src=x onerror=x>",
         "&amp;]]>", "<!--", "--><b>", "</title></style><b>", "{{x}}", "${x}",
         "' onclick='x", "\" tabindex=\"9", "javascript:alert(1)", "&#60;b&#62;",
         "\u202eabc\u202c", "\u2066x\u2069", "a\0b", "\ud7ff\ufffe\uffff",
         "::error::x", "%0a%25", "\x1b[31m", "\x9b31m", "$(id)`id`", "\u2028",
         "\u00ad\u200b\ufeff", "\U000e0041", "a\nb\tc\rd", "\\u{41}", "*/ }",
         "<svg/onload=x>", "<style>*{color:red}</style>", "]]>", "<?php", "\x7f",
         "a\u0301" * 50, "\u0644\u0627", "😀" * 40, "x" * 1000000,
         "</script>" * 5000]


def names(count):
    draw = random.Random(1)
    drawn = ["".join(chr(draw.choice([draw.randrange(1, 128),
                                      draw.randrange(128, 0xd800)]))
                     for _ in range(8)) for _ in range(count)]
    return (FIXED + drawn)[:count]


def history(path, name):
    """A violation whose threads, object and values have the name."""
    text = json.dumps(name)
    with open(path, "w", encoding="utf-8") as file:
        for type_, op, value in [("invoke", "enq", text), ("ok", "enq", text),
                                 ("invoke", "deq", "null"),
                                 ("ok", "deq", '"never"')]:
            file.write(f'{{"process":{text},"type":"{type_}","f":"{op}",'
                       f'"value":{value}}}\n')
    return ["check", "--spec", "queue", "--format", "jsonl", path]


def model(path, name):
    line = " ".join(name.split()).replace("\0", "0")  # no text has NUL
    with open(path, "w", encoding="utf-8", errors="replace") as file:
        file.write(f"// {line}\nP() = a -> b -> Stop();\n"
                   "#assert P() deadlockfree;\n")
    return ["verify", path]


def program(path, name):
    """A data race; the name is beside it."""
    line = " ".join(name.split())[:5000].replace("\\", "/").replace("?", "!")
    with open(path, "w", encoding="utf-8", errors="replace") as file:
        file.write("#include <pthread.h>\nstatic int x;\n"
                   "static void *f(void *a)\n{\n"
                   f"    // {line}\n".replace("\0", "0") +
                   "    x++;\n    return a;\n}\nint main(void)\n{\n"
                   "    pthread_t t;\n    pthread_create(&t, 0, f, 0);\n"
                   "    f(0);\n    return pthread_join(t, 0);\n}\n")
    return ["explore", path]


def file_name(_, name):
    """A violation in a file that has the name."""
    kept = name.replace("/", "|").replace("\0", "0").encode(
        "utf-8", "replace")[:200].decode("utf-8", "ignore")
    return history(f"./{kept}.jsonl", "plain")


# what, how it is made, where, and how many names are enough without `full`
KINDS = [("history", history, "hostile.jsonl", 45),
         ("model", model, "hostile.csp", 45),
         ("file", file_name, "", 45),
         ("program", program, "hostile.c", 4)]
