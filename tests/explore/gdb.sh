#!/bin/sh
# gdb.sh PLUMB - does `plumb replay --gdb=STEP` stop where the target does that
# step?  Compared with the interleaving, which names the line of each.
set -u
plumb=$(realpath "$1")
[ -x "$plumb" ] && command -v gdb >/dev/null && command -v cc >/dev/null ||
    exit 77
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
export XDG_CACHE_HOME="$work/cache" HOME="$work"
mkdir cache
unset CC CFLAGS DEBUGINFOD_URLS

"$plumb" explore counter-race --test 'inc() get() | inc()' >out 2>err
schedule=$(ls .plumb/*.schedule) || exit 1
# " 3   | store value <- 1   counter.c:35": of step 3 the first such line
awk '/interleaving/ { inside = 1 }
     inside && /^ *[0-9]+ / { step = $1 }
     inside && match($0, / [a-z_]+\.[ch]:[0-9]+/) && !(step in told) {
         told[step] = 1; print step, substr($0, RSTART + 1, RLENGTH - 1)
     }' out >steps
[ "$(wc -l <steps)" -ge 4 ] || { cat out err; exit 1; }

failed=0
while read -r step place; do
    echo quit | timeout 600 "$plumb" replay "$schedule" --gdb="$step" \
        >gdb.out 2>gdb.err
    # Not allowed to trace here: nothing can be said.
    ! grep -qi 'ptrace: Operation not permitted\|Could not trace' gdb.err ||
        exit 77
    sed -n "/^step $step is about to be done/,\$p" gdb.out >shown
    grep -q "${place%:*}:${place#*:}\$" shown && continue
    echo "step $step is at $place, but gdb stops here:"
    sed 's/^/    | /' gdb.out gdb.err
    failed=1
done <steps

# `next` stays in the target; plumb-next goes on with the schedule.
printf '%s\n' next plumb-next quit |
    timeout 600 "$plumb" replay "$schedule" --gdb=1 >gdb.out 2>gdb.err
sed -n '/^step 1 is about to be done/,$p' gdb.out >shown
if ! grep -q '^(gdb) [a-z_]* (.*counter\.c:[0-9]*$' shown ||
    [ "$(grep -c 'step [0-9]* is about to be done' shown)" -ne 2 ]; then
    echo "next and plumb-next do not go on in the target:"
    sed 's/^/    | /' gdb.out gdb.err
    failed=1
fi

# `finish` runs the function of the target, not the hook below it.
printf '%s\n' finish quit |
    timeout 600 "$plumb" replay "$schedule" --gdb=0 >gdb.out 2>gdb.err
if ! grep -q '^Run till exit from .* add (' gdb.out; then
    echo "finish does not run the function of the target:"
    sed 's/^/    | /' gdb.out gdb.err
    failed=1
fi
exit $failed
