#!/bin/sh
# not_kept.sh PLUMB - where the schedule cannot be kept, one line says so and
# why, and no command is given that could not work.
set -u
plumb=$(realpath "$1") self=$(realpath "$0")
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
    (cd "$where" && timeout 120 "$plumb" explore counter-race \
        --test 'inc() get() | inc()' "$@") >out 2>err </dev/null
    status=$?
    if [ $status -ne 1 ] || [ "$(wc -l <err)" -ne 1 ] ||
        ! grep -q "the schedule is not kept, .*: $why\$" err ||
        ! grep -q 'not linearizable' out ||
        grep -qE 'again:|"schedule"' out; then
        wrong "$where" "$why"
    fi
}

# A disk that is full, and nothing is left of what did not fit.
inside()
{
    mount -t tmpfs -o size=4k none "$work/full" 2>/dev/null || return 77
    echo all >full/all
    explored full 'No space left on device'
    [ -z "$(ls full/.plumb)" ] || { ls -l full/.plumb && failed=1; }
    umount "$work/full"
    return $failed
}
mkdir full
if [ "${2-}" = inside ]; then
    inside
    exit
fi
unshare -rm sh "$self" "$plumb" inside
status=$?
[ $status -eq 0 ] || [ $status -eq 77 ] || [ $status -eq 127 ] || failed=1

echo mine >here/.plumb
explored here 'Not a directory'
explored here 'Not a directory' --json
[ "$(cat here/.plumb)" = mine ] || failed=1

if [ "$(id -u)" -ne 0 ]; then
    mkdir shut
    chmod 555 shut
    explored shut 'Permission denied'
fi
exit $failed
