# A violation is shown as everywhere: its core, drawn, and why.
command -v cc >/dev/null || exit 77
cat >stale.c <<"END"
#include <plumb/object.h>
static int64_t x;
static void setup(void) { x = 0; }
static void write(plumb_invocation *i) { x = plumb_arg(i, 0); }
static void read(plumb_invocation *i) { plumb_return(i, x == 3 ? 2 : x); }
PLUMB_OBJECT(.name = "R", .spec = "register:init=0", .setup = setup,
             .operations = { { "read", read },
                             { "write", write, { PLUMB_RANGE(3, 3) },
                               PLUMB_BY_OTHERS } },
             .init = "read() write(3)");
END
plumb simulate -c stale.c -d -p1 -n1 --histories 100 -o out.hist 2>said
echo "exit $?"
grep -v "^note" said
cat out.hist
