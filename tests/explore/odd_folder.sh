#!/bin/sh
# odd_folder.sh PLUMB - it matters to nobody how the folders are called that a
# target, its headers and the cache are in; and their names make no line of a
# report longer than a screen is wide.
. "$(dirname "$0")/begin.sh"

folder="$work/a folder, with blanks & ünïcode (and \"quotes\")/whose name is so \
long that a path in it fits on no line of a report beside anything else"
headers="$work/headers, of which the place has a name that is as long, so that \
it has to be broken"
mkdir -p "$folder/cache" "$headers"
export XDG_CACHE_HOME="$folder/cache"
cd "$folder" || exit 2

cat >"$headers/limit.h" <<'END'
#define LIMIT 3
static inline int look(atomic_int *at)
{
    return *at + 0 * *at;
}
END
cat >'a part.c' <<'END'
#include <stdatomic.h>
extern atomic_int value;
void part(void);
void part(void)
{
    atomic_fetch_add(&value, 1);
}
END
cat >'odd, one.c' <<'END'
#include <assert.h>
#include <plumb/object.h>
#include <stdatomic.h>
#include <limit.h>
atomic_int value;
void part(void);
static void setup(void)
{
    value = 0;
}
static void inc(plumb_invocation *i)
{
    (void)i;
    part();
#ifdef WRONG
    assert(value < LIMIT); /* it is not */
#endif
}
static void get(plumb_invocation *i)
{
    const int seen = look(&value);
    plumb_return(i, seen + 0 * value);
}
PLUMB_OBJECT(.name = "C", .spec = "counter", .setup = setup,
             .operations = { { "inc", inc }, { "get", get } });
END

# says STATUS TEXT WORD...: that is what comes of plumb, in lines that fit.
says()
{
    wanted=$1 text=$2
    shift 2
    timeout 600 "$plumb" "$@" >"$work/out" 2>&1 </dev/null
    status=$?
    [ $status -eq "$wanted" ] && grep -q "$text" "$work/out" &&
        ! sed 1d "$work/out" | grep -qE '.{81}' && return
    echo "status $status, or it does not say '$text', or a line is too long:"
    cat "$work/out"
    failed=1
}

odd()
{
    says "$@" --test 'inc() | get()' --init 'inc() inc()' -- \
        -I "$headers" "$folder/a part.c" ${flag:+"$flag"}
}

for where in "$folder" "$work"; do
    cd "$where" || exit 2
    flag=
    odd 0 'get (odd, one.c:22)' explore --preemptions 0 \
        "$folder/odd, one.c"
    flag=-DWRONG
    rm -rf .plumb
    odd 1 'failed: value < LIMIT, at inc (odd, one.c:16)' explore \
        "$folder/odd, one.c"
    says 1 'assertion failed: value < LIMIT' replay .plumb/*.schedule
done
cd "$folder" || exit 2
flag=
odd 0 'no violation in 1 test' explore './odd, one.c'

# The compiler, too.
mkdir 'a bin'
ln -s "$(command -v cc)" 'a bin/a compiler'
CC="$folder/a bin/a compiler" odd 0 'no violation in 1 test' explore 'odd, one.c'
exit $failed
