#!/bin/sh
# keep_going.sh [-a] PLUMB - with --keep-going every fault is found, and told
# once, by every strategy and however many jobs there are.
# -a: wrong answers of histories, too, by every strategy.
runs='states states:2'
[ "${1:-}" = -a ] && runs="$runs dpor:2 dfs" && shift
. "$(dirname "$0")/begin.sh"

# told FILE: what went wrong, and of assertions which
told()
{
    sed -n -e 's/^[a-z_]*: //p' -e 's/^  also: //p' \
        -e 's/^  \(assertion failed: [^,]*\),.*/\1/p' "$1" |
        grep -vx 'assertion failed' | sort
}

# finds TARGET OPTION...: exactly what is in `wanted`
finds()
{
    name=$1
    shift
    "$plumb" explore "$targets/$name" --keep-going "$@" >out 2>err </dev/null
    status=$?
    told out >got
    [ $status -eq 1 ] && cmp -s wanted got && return
    echo "$name $*: status $status, and not what was to be found:"
    diff wanted got
    cat err
    failed=1
}

cat >wanted <<'END'
assertion failed: atomic_load(&first)
assertion failed: looked == 0
data race
data race
deadlock
use after free
END
for strategy in states dpor dfs; do
    finds several_faults.c --strategy $strategy
    finds several_faults.c --strategy $strategy -j 2 --no-minimise
done
for strategy in random pct; do
    finds several_faults.c --strategy $strategy --executions 5000 -j 2
done

cat >wanted <<'END'
data race
deadlock
not linearizable
use after free
END
for strategy in states dpor dfs; do
    finds object_several_faults.c --strategy $strategy \
        --test 'inc() get() | dec() inc()'
done
for strategy in random pct; do
    finds object_several_faults.c --strategy $strategy --executions 5000 \
        --test 'inc() get() | dec() inc()'
done
# Two who write race, too.
(echo 'data race'; cat wanted) >both
mv both wanted
finds object_several_faults.c --threads 2
mv out one
finds object_several_faults.c --threads 2 -j 2
cmp one out || failed=1
finds object_several_faults.c --threads 2 --executions 300 -j 3

# Histories are wrong in several ways, each of which is told once: an answer of
# empty, of full, an item that is overtaken, and one that comes out twice.
cat >ways <<'END'
1 both dequeued
1 that may have taken effect by then
1 was ahead of it
1 yet returned empty
END
ways_of()
{
    grep -Eo 'yet returned empty|both dequeued|was ahead of it|that may have taken effect by then' "$1" |
        sort | uniq -c | sed 's/^ *//'
}
for run in $runs; do
    strategy=${run%:*} jobs=1
    [ "$run" = "$strategy" ] || jobs=${run#*:}
    "$plumb" explore "$targets/object_wrong_answers.c" --keep-going \
        --strategy "$strategy" -j "$jobs" >"out.$strategy.$jobs" 2>err </dev/null
    ways_of "out.$strategy.$jobs" >got
    cmp -s ways got && continue
    echo "object_wrong_answers.c, $strategy, -j $jobs:"
    diff ways got
    failed=1
done
cmp out.states.1 out.states.2 || failed=1
"$plumb" explore "$targets/object_wrong_answers.c" --keep-going \
    --strategy random --executions 2000 --no-minimise >out 2>err </dev/null
ways_of out >got
cmp -s ways got || { echo 'by chance:'; diff ways got; failed=1; }

# Each is shown again.
ways_of out.states.1 >got
sed -n 's/^  Replay:  plumb replay //p' out.states.1 >schedules
while read -r schedule; do
    "$plumb" replay "$schedule" >>again 2>>err </dev/null
    [ $? -eq 1 ] && continue
    echo "$schedule: it is not shown again"
    failed=1
done <schedules
ways_of again | cmp -s ways - || { echo 'not the same again'; failed=1; }

# There is an end to it, which is told.
{
    printf '#include <stdlib.h>\nint main(void)\n{\n    const int r = rand();\n'
    i=0
    while [ $i -lt 40 ]; do
        printf '    if (r == %s)\n        abort();\n' $i
        i=$((i + 1))
    done
    printf '}\n'
} >many.c
"$plumb" explore many.c --keep-going --random 40 >out 2>err </dev/null
if [ "$(told out | grep -c abort)" -ne 16 ] ||
    ! grep -q 'there are more violations than the 16 reported here' err; then
    echo 'there are more than are told, and it does not say so:'
    cat out err
    failed=1
fi

# Who wants all is told if there may be more.
"$plumb" explore "$targets/several_faults.c" --keep-going --strategy dfs \
    --steps 12 >out 2>err </dev/null
grep -q 'there may be more violations; the search is incomplete: schedules of too many' err || {
    echo 'schedules are given up, and it does not say so:'
    cat err
    failed=1
}

# Each has a schedule of its own, which shows it and not another.
printf 'data race\ndata race\ndata race\n' >wanted
finds race_whole_and_part.c
sed -n -e 's/^  race on /&/p' -e 's/^  Replay:  plumb replay //p' out >pairs
while read -r race && read -r schedule; do
    "$plumb" replay "$schedule" >out 2>err </dev/null
    [ $? -eq 1 ] && grep -qF "$race" out && continue
    echo "$schedule: not $race"
    cat out err
    failed=1
done <pairs
[ "$(wc -l <pairs)" -eq 6 ] || failed=1
exit $failed
