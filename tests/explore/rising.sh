#!/bin/sh
# rising.sh PLUMB - without --preemptions the bound rises while that is cheap.
#
# A fault that needs five preemptions is found; with --preemptions 2 it is not.
# What is said does not depend on -j; a bound that was not completed is not
# claimed.
# shellcheck source=tests/explore/begin.sh
. "$(dirname "$0")/begin.sh"

complain()
{
    echo "not so: $*"
    sed 's/^/    /' out
    failed=1
}

# says TEXT STATUS FILE OPTION...
says()
{
    text=$1 expected=$2
    shift 2
    status=0
    timeout 300 "$plumb" explore "$@" >out 2>err </dev/null || status=$?
    [ $status -eq "$expected" ] && grep -q -- "$text" out ||
        complain "explore $*: status $status, without '$text'"
}

failed=0
program=$targets/../programs/five-preemptions.c
says 'assertion failed' 1 "$program"
says '(5 preemptions)' 1 "$program" --strategy dpor
says '(every schedule with at most 4 preemptions)' 0 "$program" --preemptions 4
says '(every schedule with at most 2 preemptions)' 0 "$program" --preemptions 2
says 'all schedules' 0 "$program" -- -DRIGHT
# The same with several processes for one test.
test='push(1) pop() | push(2)'
says 'all schedules' 0 treiber --test "$test" --strategy dpor
cp out one
says 'all schedules' 0 treiber --test "$test" --strategy dpor -j 2
cmp -s one out || complain "not the same with -j 2"
says 'at most 2 preemptions)' 0 treiber --test "$test" --preemptions 2
if [ "${2:-}" = all ]; then # no bound that was not completed is claimed
    test='push(1) pop() | push(2) pop() | push(3) pop()'
    for strategy in dpor states; do
        says 'at most [23] preemptions)' 0 treiber --test "$test" \
            --strategy $strategy
        cp out one
        says 'at most [23] preemptions)' 0 treiber --test "$test" \
            --strategy $strategy -j 3
        cmp -s one out || complain "not the same with -j 3"
    done
fi
exit $failed
