# Times differ; the rest does not.
command -v cc >/dev/null && command -v python3 >/dev/null || exit 77
cat >fine.c <<'END'
#include <plumb/object.h>
#include <stdatomic.h>
static atomic_long n;
static void inc(plumb_invocation *i) { (void)i; n++; plumb_retry(); }
static void get(plumb_invocation *i) { plumb_return(i, n); }
PLUMB_OBJECT(.spec = "counter", .operations = { { "inc", inc }, { "get", get } });
END
cat >stuck.c <<'END'
#include <plumb/object.h>
#include <unistd.h>
static void inc(plumb_invocation *i) { (void)i; for (;;) pause(); }
static void get(plumb_invocation *i) { inc(i); }
PLUMB_OBJECT(.operations = { { "get", get }, { "inc", inc } });
END
cat >dies.c <<'END'
#include <plumb/object.h>
#include <stdlib.h>
static void inc(plumb_invocation *i) { (void)i; abort(); }
PLUMB_OBJECT(.operations = { { "inc", inc }, { "get", inc } });
END
cat >second.c <<'END'
#include <plumb/object.h>
static void inc(plumb_invocation *i) { (void)i; }
PLUMB_OBJECT(.operations = { { "inc", inc, .by = PLUMB_BY_OTHERS },
                             { "get", inc, .by = PLUMB_BY_OTHERS } });
END
long=an-object-with-a-name-that-is-longer-than-a-line-of-the-table-could-ever-be
cp fine.c $long.c
mkdir sub
cp fine.c sub

# On a busy machine a process may do nothing that is measured: "-".
no_numbers()
{
    sed -E -e 's/ [0-9.<]+([kMGT]| ns| us| ms| s)?\>/ #/g' \
        -e 's/ +/ /g' -e '/^(inc|get) /{:a;s/ -( |$)/ #\1/;ta}'
}
plumb simulate --compare fine.c dies.c second.c $long.c -p 2 --seconds 0.3 -q \
    >tables
echo $?
awk 'length > 80 { print "too wide: " $0 }' tables
no_numbers <tables
plumb simulate --compare fine.c sub/fine.c -p 10 --seconds 0.01 -q | no_numbers |
    sed '/^fine.c,/,$d'
plumb simulate --compare stuck.c -p 1 --seconds 0.3 -q
echo $?

# Operations that wait are invoked with care.
plumb simulate --compare queue-unbound -p 2 --seconds 1 2>&1 |
    grep -o -e stuck -e "deq may wait.*"

cat >keys.py <<'END'
import json, sys
for line in sys.stdin:
    r = json.loads(line)
    print(r["subject"], r["processes"], r["outcome"], *r.keys())
    if r["outcome"] == "measured":
        times = [r[k] for k in ("median_ns", "p90_ns", "p99_ns", "max_ns")]
        assert r["calls"] > 0 and r["sampled"] > 0 and r["seconds"] > 0
        assert times == sorted(times)
    if r["subject"] == "fine":
        assert r["retries"] == (r["calls"] if r["operation"] == "inc" else 0)
END
plumb simulate --compare fine.c dies.c second.c -p 2 --seconds 0.3 -q --json |
    python3 keys.py
