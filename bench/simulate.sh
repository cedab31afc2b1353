#!/bin/sh
# simulate.sh [BUILD] [SOAK_SECONDS] - measure what `plumb simulate` promises.
#
# Prints, beside the bars: how fast it records and decides; in how many runs
# under the usual conditions it finds the two faults that Wing and Gong print;
# how long it takes for every other fault of the library; and that nothing is
# reported of correct objects for SOAK_SECONDS (default 600) in all.
set -eu
cd "$(dirname "$0")/.."
plumb=$PWD/${1:-build}/plumb
soak=${2:-600}
runs=20
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" # no .init of anybody's

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

now()
{
    date +%s.%N
}

rate()
{
    echo "bar 2: histories of 4x10 operations a second (at least 20000)"
    for object in queue-coarse queue-unbound michael-scott; do
        for noise in 1 0; do
            "$plumb" simulate -c $object -d --seconds 10 --noise $noise \
                >/dev/null 2>"$scratch/notes"
            printf '  %-16s --noise %d %22s\n' $object $noise \
                "$(sed -n 's/.*, \(.*\) histories\/s/\1/p' "$scratch/notes")/s"
        done
    done
}

# durations OBJECT RUNS SECONDS: "found median longest"
durations()
{
    : >"$scratch/times"
    for seed in $(seq "$2"); do
        begin=$(now)
        status=0
        "$plumb" simulate -c "$1" -d --seconds "$3" --seed "$seed" -q \
            >/dev/null 2>&1 || status=$?
        [ $status -ne 1 ] || echo "$begin $(now)" | awk "{ print \$2 - \$1 }" >>"$scratch/times"
    done
    sort -n "$scratch/times" | awk '{ t[NR] = $1 } END {
        printf "%d of '"$2"'", NR
        if (NR) printf "  median %6.2f s  longest %6.2f s", t[int((NR + 1) / 2)], t[NR]
        print "" }'
}

printed_faults()
{
    echo "bar 1: the printed faults, in under 10 s (at least 19 of $runs runs)"
    for object in set-no-lock queue-reread; do
        printf '  %-26s %s\n' $object "$(durations $object $runs 10)"
    done
}

other_faults()
{
    echo "bar 1: the other faults, in under 60 s (most runs)"
    for object in $(objects 'violation|weak'); do
        printf '  %-26s %s preemptions  %s\n' "$object" \
            "$(field preemptions "$object")" "$(durations "$object" 5 60)"
    done
}

soak()
{
    # shellcheck disable=SC2046 # a word per object
    set -- $(objects 'linearizable|stuck')
    each=$((soak / $# + 1))
    echo "bar 1: correct objects, $each s each (no report)"
    reported=0
    for object; do
        status=0
        "$plumb" simulate -c "$object" -d --seconds $each \
            >"$scratch/out" 2>"$scratch/notes" || status=$?
        case $status in
        0) ;;
        3) echo "  UNDECIDED $object" && cat "$scratch/notes" ;;
        *) reported=$((reported + 1))
            echo "  REPORTED $object, exit status $status"
            cat "$scratch/out" ;;
        esac
        printf '  %-26s %s\n' "$object" \
            "$(sed -n 's/^note: \(.*\) in .*/\1/p' "$scratch/notes" | head -1)"
    done
    echo "  $reported of $# reported"
}

rate
printed_faults
other_faults
soak
