#!/bin/sh
# serializability.sh PLUMB - `--also serializability`, on real code.
#
# Without a bound, and with one, dpor names the operations that dfs names; where
# loops wait only with one, because without a bound dpor leaves out executions in
# which they do.  Each of objects/benign has such schedules, and no violation.
. "$(dirname "$0")/begin.sh"

# conflicts STRATEGY OBJECT TEST [ARGUMENT...]: pairs of operations, one a line
conflicts()
{
    strategy=$1 object=$2 test=$3
    shift 3
    "$plumb" explore "$object" --test "$test" --strategy "$strategy" --json \
        --also serializability "$@" 2>&1 </dev/null | head -n 1 >"$strategy"
    grep -o '"before":"[a-z_]*"\|"after":"[a-z_]*"' "$strategy" | paste - - |
        sort
}

# same OBJECT TEST [ARGUMENT...]
same()
{
    conflicts dfs "$@" >all
    conflicts dpor "$@" >some
    cmp -s all some && grep -q '"serializability"' dfs dpor && return
    echo "$*: dpor names other operations than dfs"
    diff all some
    failed=1
}

for bound in 1 2 all; do
    same benign-retry 'inc() get() | inc()' --preemptions $bound
    same benign-double-check 'try_acquire() | try_acquire() release()' \
        --preemptions $bound
    same benign-comparison 'cancel() | is_canceled() cancel()' \
        --preemptions $bound
    same benign-lazy 'inc() | inc() get()' --preemptions $bound
    same lineup-stack 'push(1) | try_pop()' --preemptions $bound
    [ $bound = all ] ||
        same lineup-queue 'enqueue(1) | try_dequeue()' --preemptions $bound
    same counter-race 'inc() | inc()' --preemptions $bound
done

for test in 'retry inc() | inc()' 'double-check try_acquire() | try_acquire()' \
    'comparison cancel() | is_canceled()' 'lazy inc() | inc()'; do
    object=benign-${test%% *}
    "$plumb" explore "$object" --test "${test#* }" --also serializability \
        >out 2>&1 </dev/null || { echo "$object fails"; failed=1; }
    grep -q 'schedules not conflict-serializable' out && continue
    echo "$object '${test#* }': no schedule that is not serializable"
    failed=1
done
exit $failed
