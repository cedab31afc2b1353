#!/bin/sh
# explore.sh [-s] [-n RUNS] [-p PARTS] [BUILD] - measure what `plumb explore`
# promises.
#
# Prints, beside the bars: exact numbers of traces; executions a second; all
# schedules of a queue; how long every fault of the library takes, and that
# nothing is said of what is right; two faults of the Concurrency Kit (left out
# where libck-dev is not installed); and what a state costs.  Nothing here fails
# because a machine is slow.
#
# Times are processor time of everything that the command runs, the median of
# RUNS (default 5).  What is compiled is compiled before.  -s: also the 6,588,108
# traces, which take a minute or so.  -p 23: parts 2 and 3 alone.
set -eu
runs=5 slow=no parts=12345
while getopts sn:p: option; do
    case $option in
    s) slow=yes ;;
    n) runs=$OPTARG ;;
    p) parts=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
cd "$(dirname "$0")/.."
source=$PWD
build=$PWD/${1:-build}
plumb=$build/plumb
cost=$build/bench/cost
targets=$source/tests/explore/targets

cmake --build "$build" --target bench-programs >/dev/null
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" # where schedules are written

# median COLUMN: of what the runs of `measure` cost; 1 clock, 2 processor, 3 MB
median()
{
    sort -n -k "$1,$1" costs |
        awk -v column="$1" '{ v[NR] = $column } END { print v[int((NR + 1) / 2)] }'
}

# measure EXPLORED...: run it once to have it compiled, then as often as asked.
# What it printed is in `out`.
measure()
{
    "$cost" /dev/null "$plumb" explore "$@" >out 2>err </dev/null
    rm -f costs
    for _ in $(seq "$runs"); do
        "$cost" costs "$plumb" explore "$@" >out 2>err </dev/null
    done
}

# number MEMBER: of the first JSON object in `out`
number()
{
    sed -n "s/.*\"$1\":\([0-9][0-9]*\).*/\1/p" out | head -n 1
}

# less A B: the difference, but for noise; per N A B: N by that difference
less()
{
    awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; printf "%.3f", (d > 0 ? d : 0) }'
}

per()
{
    awk -v n="$1" -v a="$2" -v b="$3" \
        'BEGIN { if (a > b) printf "%.0f", n / (a - b); else print "?" }'
}

machine()
{
    sed -n 's/^model name[[:space:]]*: /cpu       /p' /proc/cpuinfo | head -n 1
    echo "cores     $(nproc)"
    echo "load      $(cut -d ' ' -f 1-3 /proc/loadavg)"
    cc=$(sed -n 's/^CMAKE_C_COMPILER:[^=]*=//p' "$build/CMakeCache.txt")
    echo "compiler  $("$cc" --version | head -n 1)"
}

# ---- bars 1 and 2: traces

# traces EXPECTED NAME FLAG...: one whole program, compiled by $CC
traces()
{
    expected=$1 name=$2
    shift 2
    measure "$targets/$name.c" --strategy dpor --no-pruning --preemptions all \
        --races $races --json -- "$@"
    asleep=$(number asleep)
    complete=$(($(number executions) - ${asleep:-0}))
    verdict=right
    [ $complete -eq "$expected" ] || verdict="WRONG, not $expected"
    printf '  %-5s %-16s %-26s %8d  %s\n' "$CC" "$name" "$*" $complete "$verdict"
}

all_traces()
{
    for CC in gcc clang; do
        command -v $CC >/dev/null || continue
        export CC
        races=report
        traces 40 count_treiber -DTHREADS=2
        start=$(median 2)
        for races in ignore report; do
            traces 25680 count_treiber -DTHREADS=3
            took="$took $(less "$(median 2)" "$start") s ($CC, $races)"
        done
        traces 222 count_msqueue -DTHREADS=2
        traces 9168 count_msqueue -DTHREADS=3 -DENQUEUE_ONLY
        if [ $slow = yes ]; then
            keep=$runs runs=1
            traces 6588108 count_msqueue -DTHREADS=3
            long="$long  $CC $(less "$(median 2)" "$start") s"
            runs=$keep
        fi
    done
    unset CC
}

# ---- bar 2: executions a second

stack="$source/bench/targets/treiber_cells.c"
stack_test='push(1) pop() | push(2) pop()'
queue="$source/bench/targets/michael_scott_cells.c"
queue_test='enq(1) deq() | enq(2) deq() | enq(3) deq()'

# rate BAR WHAT EXECUTIONS TARGET TEST RACES
rate()
{
    measure "$4" --test "$5" --strategy random --executions 1 --races "$6" --json
    start=$(median 2)
    measure "$4" --test "$5" --strategy random --executions "$3" --races "$6" \
        --json
    printf '  %-28s --races %-10s %9s/s  %s\n' "$2" "$6" \
        "$(per "$3" "$(median 2)" "$start")" "$1"
}

rates()
{
    for races in ignore report; do
        rate '(bar 1000000)' 'stack, 2x(push, pop)' 1000000 \
            "$stack" "$stack_test" $races
        rate '(bar 300000)' 'queue, 3x(enq, deq)' 500000 \
            "$queue" "$queue_test" $races
    done
}

# ---- bar 3, and memory

# every WHAT TARGET TEST: all schedules by states
every()
{
    measure "$2" --test "$3" --preemptions all --json
    printf '  %-22s %7d states  %s s  %s MB\n' "$1" "$(number states)" \
        "$(median 2)" "$(median 3)"
}

all_schedules()
{
    every '3x(enq, deq)' "$queue" "$queue_test"
    few=$(number states) small=$(median 3)
    runs=1
    every '... and one more enq' "$queue" \
        'enq(1) enq(4) deq() | enq(2) deq() | enq(3) deq()'
    many=$(number states) large=$(median 3)
    awk -v m="$large" -v s="$small" -v n="$many" -v f="$few" 'BEGIN {
        printf "  %.0f bytes for a state more\n", (m - s) * 1048576 / (n - f) }'
}

# ---- bar 4: the library

# field NAME OBJECT: a line of what the index says
field()
{
    "$plumb" list objects "$2" | sed -n "s/^ *$1  *//p"
}

objects()
{
    for object in $("$plumb" list objects | sed -n 's/^  \([a-z][^ ]*\).*/\1/p')
    do
        ! field expect "$object" | grep -qxE "$1" || echo "$object"
    done
}

status()
{
    awk '{ s = $4 } END { print s }' costs
}

# row WHAT: what came of it, and what it cost
row()
{
    printf '  %-26s %7s s %7s s  %s\n' "$1" "$(median 1)" "$(median 2)" \
        "$(cat out err | sed -n '1s/^[^:]*: //p' | sed 's/, at most.*/)/')"
}

head_row()
{
    printf '  %-26s %9s %9s\n' '' clock processor
}

# A fault that no drawn test shows is looked for with the test of the index.
faults()
{
    count=0 drawn=0 known=0
    for object in $(objects 'violation|weak|stuck'); do
        count=$((count + 1))
        measure "$object"
        row "$object"
        if [ "$(status)" -eq 1 ]; then
            drawn=$((drawn + 1))
            continue
        fi
        measure "$object" --init "$(field init "$object")" \
            --test "$(field scenario "$object")"
        row "  with its own test"
        [ "$(status)" -ne 1 ] || known=$((known + 1))
    done
    echo "  of $count found: $drawn by drawn tests, $known more by their own"
}

correct()
{
    count=0 passed=0
    for object in $(objects linearizable); do
        count=$((count + 1))
        measure "$object" --threads 3 --ops 2 --preemptions 2 \
            --require-complete
        row "$object"
        [ "$(status)" -ne 0 ] || passed=$((passed + 1))
    done
    echo "  $passed of $count pass, all schedules within the bound run"
}

# ---- bar 5: the Concurrency Kit

kit()
{
    if ! echo '#include <ck_fifo.h>' | ${CC:-cc} -E - >/dev/null 2>&1; then
        echo "  left out: no ck_fifo.h"
        return
    fi
    measure "$targets/ck_fifo_mpmc.c" --races interleave \
        --init 'enq(1) enq(2)' --test 'deq() | deq() enq(3)' -- -mcx16
    row ck_fifo_mpmc_dequeue
    measure "$targets/ck_stack_mpmc.c" --races interleave \
        --spec "$targets/batch_stack_spec.c" --init 'push(1) push(2)' \
        --test 'pop() | pop_all() push(3)' --final 'pop()' -- -mcx16
    row ck_stack_batch_pop_mpmc
    measure "$targets/ck_hp_fifo.c" --races interleave --init 'enq(1)' \
        --test 'deq() | deq() enq(2) deq()'
    row ck_hp_fifo_dequeue_mpmc
}

part()
{
    case $parts in
    *"$1"*) echo ;;
    *) return 1 ;;
    esac
}

machine
if part 1; then
    took='' long=''
    echo "1. Traces of whole programs, one of each by dpor (bar: exactly these)"
    all_traces
    echo "   25,680 traces, without starting and loading (bar 0.1 s), races"
    echo "   ignored and reported: $took"
    [ $slow = no ] || echo "   6,588,108 traces: $long"
fi
if part 2; then
    echo "2. Random executions a second, every history decided"
    rates
fi
if part 3; then
    echo "3. All schedules of a queue, linearizability decided (bar 2.3 s for"
    echo "   3x(enq, deq))"
    all_schedules
fi
if part 4; then
    runs=1
    echo "4. Every fault of the library, plain plumb explore (bar 10 s)"
    head_row
    faults
    echo
    echo "   Every correct object, 3x2 (bar: all schedules with at most 2"
    echo "   preemptions run)"
    head_row
    correct
fi
if part 5; then
    runs=1
    echo "5. Faults in the headers of the Concurrency Kit (bar 1 s)"
    head_row
    kit
fi
