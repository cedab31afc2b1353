#!/bin/sh
# library.sh PLUMB [OBJECT...] - what tests that are drawn show of the library.
#
# Every faulty object must be found out by `plumb explore NAME`, and nothing may
# be said against a correct one, all schedules of whose tests were run that have
# at most 2 preemptions.  (That
# the scenario of its index shows it is another test: explore-library.)  The
# times are printed for who reads them; nothing depends on them.
set -u
plumb=$(realpath "$1")
shift
[ -x "$plumb" ] && command -v cc >/dev/null || exit 77
objects=$(cd "$(dirname "$0")/../../objects" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
export XDG_CACHE_HOME="$work/cache"
mkdir cache
unset CC CFLAGS CXX CXXFLAGS

cat "$objects"/*/index |
    awk '$1 == "object" { name = $2 } $1 == "expect" { print name, $2 }' >list
for name; do
    grep "^$name " list || echo "$name unknown"
done >chosen
[ $# -gt 0 ] || cp list chosen

failed=0
while read -r name expect; do
    begun=$(date +%s)
    "$plumb" explore "$name" --threads 3 --ops 2 --preemptions 2 \
        --require-complete -q >out 2>&1 </dev/null
    got=$?
    case $expect in
    linearizable) want=0 ;;
    *) want=1 ;;
    esac
    took=$(($(date +%s) - begun))
    echo "$name, $expect, $took s: $(head -n 1 out)"
    [ $got -eq $want ] && continue
    echo "    exit status $got, not $want"
    failed=1
done <chosen
exit $failed
