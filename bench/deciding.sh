#!/bin/sh
# deciding.sh - histories that are hard to order: decided, how fast, in how much?
#
#   bench/deciding.sh PLUMB [OPS [SEEDS]]     default: 100000 operations, seeds 1 2
#
# For each type, values, --overlap 50 and 90, right and with a mistake, whole and
# (the last lines) with operations that never return: how many seeds are decided,
# the longest processor time and the largest memory.
set -u
plumb=$1
ops=${2:-100000}
seeds=${3:-"1 2"}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

row() { # SPEC VALUES OVERLAP PENDING [--violation]
    for seed in $seeds; do
        "$plumb" generate --spec "$1" --values "$2" --ops "$ops" --threads 8 \
            --overlap "$3" --pending "$4" --seed "$seed" ${5:+"$5"} \
            >"$work/h" 2>/dev/null || continue
        /usr/bin/time -f '%U %S %M' -o "$work/t" "$plumb" check -j 1 \
            --timeout 60 --spec "$1" "$work/h" 2>/dev/null |
            sed -n 's/^[^ ]*: \([a-z]*\).*/\1/p' | head -1 >"$work/v"
        echo "$(cat "$work/v") $(tail -1 "$work/t")"
    done | awk -v row="$1 $2 --overlap $3 --pending $4 ${5:-}" '
        { n++; if ($1 != "undecided") d++
          if ($2 + $3 > t) t = $2 + $3; if ($4 > m) m = $4 }
        END { printf "%-54s %d of %d  %6.2f s  %4d MB\n", row, d, n, t, m / 1024 }'
}

for overlap in 50 90; do
    for mistake in '' --violation; do
        row queue:cap=64 unique $overlap 0 $mistake
        row queue:cap=64 10 $overlap 0 $mistake
        row deque unique $overlap 0 $mistake
        row deque 10 $overlap 0 $mistake
        row stack 10 $overlap 0 $mistake
        row stack 100 $overlap 0 $mistake
    done
done
for spec in queue stack deque priority-queue set map register counter mutex; do
    row $spec unique 50 5
done
