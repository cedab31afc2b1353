#!/bin/sh
# shared.sh [-a] PLUMB - do several processes tell what one tells?
#
# The output of `plumb explore -j N` is the same to the byte for N = 1 and 3,
# with -a also for 2 and 7, and so are its status and the schedules that it
# writes: whether nothing is found or something, of each kind, by each strategy
# that is shared.
# Without -a only some of it is tried.
set -u

which=some several='3'
[ "${1:-}" = -a ] && which=all several='2 3 7' && shift
[ $# -eq 1 ] || { echo "usage: shared.sh [-a] PLUMB" >&2; exit 2; }
plumb=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
[ -x "$plumb" ] || exit 77
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0 run=0 shared=0

# explore JOBS ARGUMENT...: everything that comes of it, in one file.
explore()
{
    jobs=$1
    shift
    rm -rf here && mkdir here
    (cd here && timeout "${LIMIT:-300}" "$plumb" explore -j "$jobs" "$@" \
        >out 2>err </dev/null; echo "status $?" >status)
    (cd here && find . -type f | LC_ALL=C sort | while read -r file; do
        echo "--- $file"
        cat "$file"
    done) >"$jobs"
}

same()
{
    run=$((run + 1))
    explore 1 "$@"
    for jobs in ${JOBS:-$several}; do
        explore "$jobs" "$@"
        cmp -s 1 "$jobs" && continue
        failed=$((failed + 1))
        echo "not the same with -j $jobs: plumb explore $*"
        diff 1 "$jobs" | head -n 10
    done
}

# Was it more than what one process does before it is helped?
is_late()
{
    executions=$(sed -n 's/.*"executions": *\([0-9]*\).*/\1/p' 1 | head -n 1)
    [ "${executions:-0}" -gt 200 ] && shared=$((shared + 1))
}

# by ARGUMENT... with the strategy and $most and $flags
by()
{
    # shellcheck disable=SC2086 # these are words
    same "$@" --json --no-minimise --executions $most --strategy $strategy \
        $flags
    is_late
}

by_each()
{
    for strategy in "dfs --preemptions all" "dfs --preemptions 3" \
        "dpor --preemptions all" "dpor --preemptions 2" \
        "random --seed 5" "pct --seed 3"; do
        by "$@"
    done
}

# ---- what goes wrong late ----

late=$here/late_fault.c
faults="ASSERT DIE RACE"
[ $which = some ] || faults="$faults NONE DEADLOCK CRASH ABORT EXIT FREED SPIN"

# So that it is found after some hundreds of executions.
late()
{
    most=3000 given=$flags
    strategy="dfs --preemptions all" flags="$given -DRARE=131" && by "$@"
    strategy="dfs --preemptions 3" flags="$given -DRARE=193" && by "$@"
    strategy="dpor --preemptions all" flags="$given -DRARE=401" && by "$@"
    strategy="dpor --preemptions 2" flags="$given -DRARE=1511" && by "$@"
    strategy="random --seed 5" flags="$given -DRARE=907" && by "$@"
    strategy="pct --seed 3" flags="$given -DRARE=907" && by "$@"
}

for fault in $faults; do
    flags="-- -DFAULT=$fault"
    [ "$fault" != SPIN ] || flags="--steps 200 $flags"
    late "$late"
    [ $which = all ] || [ "$fault" = RACE ] || continue
    flags="-- -DFAULT=$fault"
    [ "$fault" != SPIN ] || flags="--steps 200 $flags"
    late "$late" --keep-going
done
most=2500 flags="-- -DFAULT=ASSERT -DRARE=101 -DSTEPS=3"
by_each "$late" --keep-going

# ---- targets of the other tests ----

cd "$here/targets" || exit 2
queue=$PWD/object_hasty_queue.c blocking=$PWD/object_spinning_queue.c
counter=$PWD/object_faults.c lottery=$PWD/object_lottery.c
sum=$PWD/plain_counter.c dine=$PWD/philosophers.c
cd "$work" || exit 2
most=2000 flags=
by_each michael-scott --test 'enq(1) deq() | enq(2) deq()'
if [ $which = all ]; then
    by_each treiber-aba --init 'push(1) push(2)' \
        --test 'pop() | pop() pop() push(3)'
    by_each "$queue" --test 'enq(1) | deq() | deq()'
    by_each "$blocking" --test 'take() | take() | put(1)'
    by_each "$lottery" --test 'deq() | deq()'
    by_each "$sum"
    by_each "$sum" --races interleave --keep-going
    by_each "$dine" --keep-going
    by_each "$counter" --test 'inc() get() | inc() get()'
    flags='-- -DRACE'
    by_each "$counter" --keep-going --test 'inc() | get() inc()'
fi

# ---- what is printed for people, and the rest of the options ----

same michael-scott --test 'enq(1) deq() | enq(2) deq()' --strategy dfs
same treiber-aba --strategy random --executions 3000 --seed 2 \
    --init 'push(1) push(2)' --test 'pop() | pop() pop() push(3)'
same "$late" --strategy random --executions 3000 --seed 5 -- -DFAULT=DIE \
    -DRARE=907
same "$late" --strategy dpor --preemptions all -- -DFAULT=ASSERT -DRARE=401
same michael-scott --test 'enq(1) | deq()' --strategy states
same michael-scott --test 'enq(1) deq() | enq(2)' --strategy dpor \
    --preemptions all --json

echo "$run cases, $failed not the same, $shared of more than 200 executions"
[ $failed -eq 0 ] && [ $shared -ge 20 ]
