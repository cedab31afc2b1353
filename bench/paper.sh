#!/bin/sh
# paper.sh [BUILD [PICTURE]] - the experiment of the paper on monitors, here.
#
# "Efficient linearizability monitoring" (LiMo, 2025) records stacks and queues
# with 8, 16 and 32 threads and up to 10000 operations, and plots how the time
# to decide grows (Figures 9 and 10).  This does so with objects of the library
# and goes on to a million operations; then with histories that are made up, in
# which two of three threads are inside an operation at any time, since few
# processors make few operations overlap; and at last looks how soon a stack
# with a fault is caught.  Prints tables, and draws PICTURE (an SVG) if
# given.  Some minutes.
#
# Times are processor time without reading, each the best of three.  Of up to
# 10000 operations, three histories are recorded, and their mean is shown.  That
# of a violation is until it is found, and when it became one, not its proof.
# The search has $LIMIT seconds; where a history takes longer, longer ones are
# not tried.
set -eu
cd "$(dirname "$0")/.."
build=$PWD/${1:-build}
picture=${2:-}
plumb=$build/plumb
monitors=$build/bench/monitors
limit=${LIMIT:-2}
threads=${THREADS:-8 16 32}
sizes=${SIZES:-100 200 500 1000 2000 5000 10000 100000 1000000}

cmake --build "$build" --target bench-programs >/dev/null
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# record OBJECT THREADS OPERATIONS SEED: to $scratch/history
record()
{
    rm -f "$scratch/history"
    # Items of a priority queue are not unique by themselves; keys of a set
    # and a map have to come again.
    unique=
    [ "$1" != pqueue-unbound ] || unique=--unique
    "$plumb" simulate --record "$scratch/history" -c "$1" -p "$2" \
        -n $((($3 + $2 / 2) / $2)) --seed "$4" $unique -q >/dev/null
}

# spec OBJECT: what the index says it should be
spec()
{
    "$plumb" list objects "$1" | sed -n 's/^ *spec  *//p'
}

# mean: of lines of monitors, "operations open decided verified search verdict"
mean()
{
    awk '{
        for (i = 1; i < NF; i++) v[$i] = $(i + 1)
        n += $2; open += v["open"]
        decided += v["decided"]; verified += v["verified"]
        if (v["search"] == "-" || v["search"] == "") none = 1
        search += v["search"]
        verdict = "declined"
        if (/ linearizable/) verdict = "linearizable"
        if (/ not linearizable/) verdict = "violation"
        if (NR == 1) all = verdict
        else if (verdict != all) all = "differ"
    } END {
        printf "%d %.1f %.6f %.6f ", n / NR, open / NR, decided / NR,
            verified / NR
        print none ? "-" : sprintf("%.6f", search / NR), all
    }'
}

# measure_recorded NAME SPEC THREADS OPERATIONS SECONDS
measure_recorded()
{
    histories=3
    [ "$4" -le 10000 ] || histories=1
    for seed in $(seq $histories); do
        record "$1" "$3" "$4" "$seed"
        "$monitors" -s "$5" -f "$scratch/history" "$2"
    done
}

# measure_made TYPE SPEC THREADS OPERATIONS SECONDS
measure_made()
{
    "$monitors" -s "$5" "$2" "$4" "$3"
}

# grow HOW NAME SPEC: a line for each number of threads and operations
grow()
{
    for p in $threads; do
        seconds=$limit
        for n in $sizes; do
            line=$("measure_$1" "$2" "$3" "$p" "$n" "$seconds" | mean)
            echo "$1 $2 $p $line" >>"$scratch/data"
            echo "$2 $p $line" |
                awk '{ printf "%-16s %3d %8d %6.1f %10.3f %10.3f %10s  %s\n",
                    $1, $2, $3, $4, $5 * 1e3, $6 * 1e3,
                    $7 == "-" ? "-" : sprintf("%.3f", $7 * 1e3), $8 }'
            case $line in *" - "*) seconds=0 ;; esac
        done
    done
}

heading()
{
    echo
    echo "$1"
    printf '%-16s %3s %8s %6s %10s %10s %10s\n' "" thr ops open \
        "monitor ms" "verify ms" "search ms"
}

recorded()
{
    heading "recorded from objects of the library"
    for object in stack-coarse treiber ts-stack ts-stack-fault queue-coarse \
        michael-scott pqueue-unbound harris-michael b-tree register; do
        grow recorded $object "$(spec $object)"
    done
}

made_up()
{
    heading "made up: two of three threads are inside an operation"
    for type in stack queue priority-queue set register; do
        grow made $type $type
    done
}

# The clock of ts-stack-fault runs back when a thread loses its processor
# between two instructions.  So it is rare, and recorded again until it shows.
fault()
{
    echo
    echo "ts-stack-fault, recordings of 1000000 operations"
    for p in 2 $threads; do
        caught=0
        for seed in 1 2 3 4 5; do
            record ts-stack-fault "$p" 1000000 "$seed"
            line=$("$monitors" -f "$scratch/history" stack)
            event=${line##*not linearizable after event }
            [ "$event" != "$line" ] || continue
            caught=$((caught + 1))
            echo "  $p threads, seed $seed: a violation" \
                "after $((event / 2)) operations"
            "$plumb" check --algorithm monitor "$scratch/history" |
                sed '1d; s/^/    /' >"$scratch/core"
        done
        echo "  $p threads: caught in $caught of 5"
    done
    if [ -f "$scratch/core" ]; then
        echo "  the last of them:"
        cat "$scratch/core"
    fi
}

: >"$scratch/data"
recorded
made_up
[ -z "$picture" ] || python3 bench/plot.py "$scratch/data" "$picture"
[ -z "${DATA:-}" ] || cp "$scratch/data" "$DATA"
fault
