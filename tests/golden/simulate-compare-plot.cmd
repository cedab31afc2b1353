command -v cc >/dev/null && command -v python3 >/dev/null || exit 77
# The picture is well-formed, names all objects, and has a line for each.
cat >draw.py <<'END'
import sys, xml.etree.ElementTree as tree
svg = "{http://www.w3.org/2000/svg}"
root = tree.parse(sys.argv[1]).getroot()
assert root.tag == svg + "svg"
texts = [t.text for t in root.iter(svg + "text")]
lines = [p for p in root.iter(svg + "path") if p.get("stroke-width") == "2"]
words = [t.removesuffix(" (logarithmic)") for t in texts if not t[0].isdigit()]
print(*sorted(words), len(lines), sep="\n") # names stand where lines end
END
cp "$SOURCE/objects/counter/counter.c" "a<b>&'\".c"
plumb simulate --compare "./a<b>&'\".c" counter-lock -p 3 --seconds 0.05 -q \
    --plot out.svg -- -I"$SOURCE/objects/counter" >tables
echo $?
python3 draw.py out.svg
# Nothing to draw is left behind if nothing can be measured.
cat >loops.c <<'END'
#include <plumb/object.h>
static void inc(plumb_invocation *i) { (void)i; }
static void __attribute__((constructor)) stop(void) { __builtin_trap(); }
PLUMB_OBJECT(.operations = { { "inc", inc } });
END
plumb simulate --compare loops.c --plot none.svg -q
echo $?
ls none.svg 2>/dev/null
