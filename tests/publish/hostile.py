"""hostile.py - names that were chosen to break what is written of them."""
import random

FIXED = ["</script><script>alert(1)</script>", "\"'><img src=x onerror=x>",
         "&amp;]]>", "<!--", "--><b>", "</title></style><b>", "{{x}}", "${x}",
         "' onclick='x", "\" tabindex=\"9", "javascript:alert(1)", "&#60;b&#62;",
         "\u202eabc\u202c", "\u2066x\u2069", "a\0b", "\ud7ff\ufffe\uffff",
         "::error::x", "%0a%25", "\x1b[31m", "\x9b31m", "$(id)`id`", "\u2028",
         "\u00ad\u200b\ufeff", "\U000e0041", "a\nb\tc\rd", "\\u{41}", "*/ }",
         "<svg/onload=x>", "<style>*{color:red}</style>", "]]>", "<?php", "\x7f",
         "a\u0301" * 50, "\u0644\u0627", "😀" * 40, "x" * 100000]


def names(count):
    draw = random.Random(1)
    drawn = ["".join(chr(draw.choice([draw.randrange(1, 128),
                                      draw.randrange(128, 0xd800)]))
                     for _ in range(8)) for _ in range(count)]
    return (FIXED + drawn)[:count]
