#!/bin/sh
# monitors.sh [-l] [-n RUNS] [BUILD] - measure what monitors promise.
#
# Prints, beside the bars: how long a million operations take to decide, how
# that grows, how many events a second `plumb monitor` follows and in how much
# memory, and what recording costs.  Nothing here fails because a machine is
# slow.  Times are processor time, the best of RUNS (default 5).
#
# -l: the long ones, too: ten million operations of each type, a hundred million
# of a queue and of a set, from a file, a billion events, and what threads gain;
# 16 GB of memory, 8 GB of disk space and some ten minutes.
set -eu
runs=5 long=no
while getopts ln: option; do
    case $option in
    l) long=yes ;;
    n) runs=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
cd "$(dirname "$0")/.."
build=${1:-build}
bench=$build/bench
cmake --build "$build" --target bench-programs >/dev/null
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
types='queue stack priority-queue set multiset register map'

# best TYPE OPERATIONS RUNS: the line of the run that decided it quickest
best()
{
    i=0
    while [ $i -lt "$3" ]; do
        "$bench/monitors" "$1" "$2"
        i=$((i + 1))
    done | sort -k 8,8 | head -n 1
}

bar()
{
    case $1 in
    queue) echo 0.06 ;;
    stack | priority-queue) echo 0.2 ;;
    *) echo 0.03 ;;
    esac
}

echo "1. a million operations, 8 threads, 5 open at a time (memory: 64 bytes)"
for type in $types; do
    best "$type" 1000000 "$runs" >"$scratch/line"
    awk -v bar="$(bar "$type")" '{
        printf "  %-14s %.3f s (bar %s; the tape %.3f of it), %s bytes, verified in %.2f s\n",
            $1, $8, bar, $6, $11, $10 }' "$scratch/line"
done

echo "2. growth: seconds for 10^3, 10^4, ...; the last step (bar: 13-fold)"
sizes='1000 10000 100000 1000000'
[ $long = no ] || sizes="$sizes 10000000"
for type in $types; do
    printf '  %-14s' "$type"
    before=1 now=1
    for n in $sizes; do
        best "$type" "$n" 3 >"$scratch/line"
        before=$now now=$(awk '{ print $8 }' "$scratch/line")
        printf ' %s' "$now"
    done
    awk -v b="$before" -v n="$now" 'BEGIN { printf "  x %.1f\n", n / b }'
done

# live EVENTS
live()
{
    rm -f "$scratch/cost"
    "$bench/endless_queue" 8 1000 "$1" |
        "$bench/cost" "$scratch/cost" "$build/plumb" monitor --spec queue -q - \
            >/dev/null
    awk -v n="$1" '{ printf "  %d events: %.1f million/s of processor time, %s MB\n",
        n, n / $2 / 1000000, $3 }' "$scratch/cost"
}

echo "3. a queue's events from a pipe (bar: 3 million/s, flat memory)"
live 20000000
live 100000000
[ $long = no ] || live 1000000000

# decide TYPE JOBS FILE: check the file, and leave what it cost in $scratch/cost
decide()
{
    rm -f "$scratch/cost"
    "$bench/cost" "$scratch/cost" "$build/plumb" check --spec "$1" -j "$2" \
        -q "$3" >/dev/null
}

if [ $long = yes ]; then
    file=$scratch/long.plumb
    echo "4. a hundred million operations, a binary file (bar: 64 bytes)"
    for type in queue set; do
        "$bench/monitors" -o "$file" $type 100000000
        size=$(wc -c <"$file")
        decide $type 1 "$file"
        awk -v t=$type -v size="$size" '{
            printf "  %-6s %.1f s of processor time, %.0f MB; without the file of %.0f MB, %.1f bytes each\n",
                t, $2, $3, size / 1048576, ($3 * 1048576 - size) / 1e8 }' "$scratch/cost"
        rm "$file"
    done
    echo "5. ten million operations, a rest every ten thousand: seconds of the clock with -j 1, -j 2"
    for type in queue set; do
        "$bench/monitors" -r 10000 -o "$file" $type 10000000
        printf '  %-6s' $type
        for jobs in 1 2; do
            decide $type $jobs "$file"
            awk '{ printf " %.2f", $1 }' "$scratch/cost"
        done
        echo
        rm "$file"
    done
fi

echo "6. recording"
bench/record.sh "$build" | sed 's/^/  /'
