#!/bin/sh
# left_behind.sh PLUMB - does an exploration by several processes leave any?
#
# However it ends: by itself, by its time, by a signal, or by being killed.
# Processes are known by a variable that they inherit.
set -u

[ $# -eq 1 ] || { echo "usage: left_behind.sh PLUMB" >&2; exit 2; }
plumb=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
[ -x "$plumb" ] && [ -r /proc/self/environ ] || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
mark=LEFT_BEHIND_$$
failed=0

marked()
{
    grep -lsa "$mark=1" /proc/[0-9]*/environ | wc -l
}

explore()
{
    exec env "$mark=1" "$plumb" explore michael-scott -j 4 --strategy "$1" \
        --preemptions all --executions "$2" --timeout "$3" \
        --test 'enq(1) deq() enq(2) | enq(3) deq() | deq() enq(4) deq()' \
        >out 2>&1 </dev/null
}

# until COMMAND: false after a minute.
until_so()
{
    tries=0
    until "$@"; do
        tries=$((tries + 1))
        [ $tries -lt 600 ] || return 1
        sleep 0.1
    done
}

# plumb, the host and its four workers
all_there() { [ "$(marked)" -ge 6 ]; }
none_there() { [ "$(marked)" -eq 0 ]; }

ends()
{
    until_so none_there && return
    failed=$((failed + 1))
    echo "$1: $(marked) processes are left"
}

for strategy in random dfs dpor; do
    (explore $strategy 2000 60s)
    ends "$strategy, by itself"
    (explore $strategy 100000000 1s)
    ends "$strategy, by its time"
    for signal in INT TERM KILL; do
        explore $strategy 100000000 100s &
        pid=$!
        if ! until_so all_there; then
            echo "$strategy: it has no four workers"
            failed=$((failed + 1))
        fi
        kill -$signal $pid
        wait $pid 2>/dev/null
        ends "$strategy, $signal"
    done
done
[ $failed -eq 0 ]
