#!/bin/sh
# turns.sh - ten objects take turns: is the easy one's violation found?
#
#   bench/turns.sh PLUMB [FIRST [LAST]]     histories FIRST ... LAST of turns.py
#
# For each history: the time of the easy object alone and of all ten, whether that
# is within 20 times as long and a second, and whether -j 1, 2 and 4 print the
# same bytes.  Exit 1 if not.
set -u
plumb=$1
first=${2:-1}
last=${3:-50}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
python3 "$here/turns.py" "$work" "$first" "$last" || exit 2

seconds() { # OUTPUT ARGUMENTS...
    out=$1
    shift
    begin=$(date +%s.%N)
    "$plumb" check "$@" >"$out" 2>/dev/null
    status=$?
    end=$(date +%s.%N)
    echo "$begin $end" | awk '{ printf "%.3f", $2 - $1 }'
    [ "$status" = 1 ] || echo " status $status"
}

bad=0
for file in "$work"/*.hist; do
    name=$(basename "$file" .hist)
    spec=${name#*-}
    alone=$(seconds "$work/alone" --spec "$spec" "${file%.hist}.easy")
    all=$(seconds "$work/1" --spec "$spec" --timeout 100 -j 1 "$file")
    say=ok
    echo "$alone $all" | awk '{ exit !($2 <= 20 * $1 + 1) }' || say="too slow"
    for jobs in 2 4; do
        "$plumb" check --spec "$spec" --timeout 100 -j "$jobs" "$file" \
            >"$work/$jobs" 2>/dev/null
        cmp -s "$work/1" "$work/$jobs" || say="$say, -j $jobs differs"
    done
    grep -q ': not linearizable' "$work/1" || say="$say, not found"
    [ "$say" = ok ] || bad=$((bad + 1))
    printf '%s  alone %s s, with nine others %s s: %s\n' \
        "$name" "$alone" "$all" "$say"
done
echo "$bad of $((last - first + 1)) histories failed"
[ "$bad" = 0 ]
