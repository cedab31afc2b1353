#!/bin/sh
# not_kept.sh PLUMB - where the schedule cannot be kept, one line says so and
# why, and no command is given that could not work.  (That nothing is left of
# what a disk had no room for is a claim of test_schedule_file.)
set -u
plumb=$(realpath "$1")
[ -x "$plumb" ] && command -v cc >/dev/null || exit 77
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
export XDG_CACHE_HOME="$work/cache"
mkdir cache here
unset CC CFLAGS

failed=0
wrong()
{
    echo "$1: status $status, or it does not say '$2' in one line:"
    cat out err
    failed=1
}

# explored WHERE WHY [OPTION...]: a violation, whose schedule is not kept.
explored()
{
    where=$1 why=$2
    shift 2
    (cd "$where" && timeout 600 "$plumb" explore counter-race \
        --test 'inc() get() | inc()' "$@") >out 2>err </dev/null
    status=$?
    if [ $status -ne 1 ] || [ "$(wc -l <err)" -ne 1 ] ||
        ! grep -q "cannot save the schedule, .*: $why\$" err ||
        ! grep -q 'not linearizable' out ||
        grep -qE 'Replay:|"schedule"' out; then
        wrong "$where" "$why"
    fi
}

echo mine >here/.plumb
explored here 'Not a directory'
explored here 'Not a directory' --json
[ "$(cat here/.plumb)" = mine ] || failed=1

mkdir gone
ln -s nowhere gone/.plumb
explored gone 'No such file or directory'

if [ "$(id -u)" -ne 0 ]; then
    mkdir shut
    chmod 555 shut
    explored shut 'Permission denied'
fi
exit $failed
