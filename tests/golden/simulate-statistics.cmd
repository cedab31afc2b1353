# Times differ; the columns do not.  The worker may be ended inside a call.
command -v cc >/dev/null && command -v python3 >/dev/null || exit 77
cat >odd.c <<'END'
#include <plumb/object.h>
static void run(plumb_invocation *i) { plumb_return_bool(i, true); plumb_contend(); }
PLUMB_OBJECT(.spec = "set",
    .operations = { { "insert", run, { PLUMB_FRESH } },
                    { "delete", run, { PLUMB_FRESH }, .by = PLUMB_BY_OTHERS } });
END
plumb simulate -c odd.c -d -p 1 -n 3 --histories 20 --noise 0 --statistics 2>&1 |
    grep -v histories | sed -E -e 's/ +/ /g' -e 's/^(insert|delete) [0-9.]+[kMG]? /\1 # /' \
        -e 's/[0-9.]+ [num]?s/#/g'
plumb simulate -c odd.c -d -p 1 -n 3 --histories 20 --statistics --json -q |
    python3 -c '
import json, sys
for line in sys.stdin:
    r = json.loads(line)
    print(*r.keys())
    if "operation" in r:
        missing = [r["calls"] - r[n] for n in ("contended", "sampled")]
        print(r["operation"], all(m in (0, 1) for m in missing),
              r["max_ns"] is None)
'
