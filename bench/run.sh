#!/bin/sh
# run.sh [BUILD] - measure what Plumbline promises, and print it.
#
# Bars are printed beside the measurements, for the reader to compare: nothing
# here fails because a machine is slow.  Histories recorded by others are looked
# for in $PLUMB_DATA (default ../shared/data); what needs them is left out where
# they are absent.  Bar 2, agreement with brute force, is `make test-full`.
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
data=${PLUMB_DATA:-../shared/data}
plumb=$build/plumb
measure=$build/bench/measure
generate=$build/bench/nearly_sequential

cmake --build "$build" --target bench-programs >/dev/null
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

machine()
{
    sed -n 's/^model name[[:space:]]*: /cpu       /p' /proc/cpuinfo | head -n 1
    echo "cores     $(nproc)"
    cc=$(sed -n 's/^CMAKE_C_COMPILER:[^=]*=//p' "$build/CMakeCache.txt")
    echo "compiler  $("$cc" --version | head -n 1)"
    echo "flags     $(sed -n 's/^CMAKE_BUILD_TYPE:[^=]*=//p' \
        "$build/CMakeCache.txt")"
}

# ---- bar 1: every verdict right

# expect STATUS SPEC FILE: SPEC - is what the file itself says, or its names.
expect()
{
    judged=$((judged + 1))
    status=0
    if [ "$2" = - ]; then
        "$plumb" check "$3" >"$scratch/out" 2>&1 || status=$?
    else
        "$plumb" check --spec "$2" "$3" >"$scratch/out" 2>&1 || status=$?
    fi
    if [ $status -eq "$1" ]; then
        right=$((right + 1))
    else
        echo "  WRONG   $3: status $status, expected $1"
        sed 's/^/          /;5q' "$scratch/out"
    fi
}

folder()
{
    printf '  %-14s %3d of %3d verdicts right\n' "$1" $right $judged
    all_right=$((all_right + right)) all_judged=$((all_judged + judged))
    right=0 judged=0
}

verdicts()
{
    right=0 judged=0 all_right=0 all_judged=0
    while read -r log verdict; do
        case $verdict in
        linearizable) expect 0 cas-register "$data/jepsen-etcd/$log" ;;
        *) expect 1 cas-register "$data/jepsen-etcd/$log" ;;
        esac
    done <"$data/jepsen-etcd/VERDICTS.tsv"
    folder jepsen-etcd
    for f in "$data"/porcupine-kv/*-ok.txt; do expect 0 'map:init=""' "$f"; done
    for f in "$data"/porcupine-kv/*-bad.txt; do expect 1 'map:init=""' "$f"; done
    folder porcupine-kv
    for f in "$data"/knossos-edn/good/*; do expect 0 cas-register "$f"; done
    for f in "$data"/knossos-edn/bad/*; do expect 1 cas-register "$f"; done
    folder knossos-edn
    for f in "$data"/limo/*/safe/*; do expect 0 - "$f"; done
    for f in "$data"/limo/*/violation/*; do expect 1 - "$f"; done
    folder limo
    for f in "$data"/violin/simple/*; do
        case $f in
        */lifo-safe-dhk-2.log) expect 0 - "$f" ;;
        *) expect 1 - "$f" ;;
        esac
    done
    folder violin
    for kind in fastlin fptlin; do
        for f in "$data/$kind"/*-lin_*; do expect 0 - "$f"; done
        for f in "$data/$kind"/*-nonlin_*; do expect 1 - "$f"; done
        folder $kind
    done
    printf '  %-14s %3d of %3d\n' all $all_right $all_judged
}

# ---- bar 3: speed on recorded logs

logs()
{
    echo "  etcd logs, not shrunk:"
    echo "    $("$measure" decide cas-register "$data"/jepsen-etcd/*.log)"
    echo "  etcd logs, violations shrunk to minimal cores:"
    echo "    $("$measure" core cas-register "$data"/jepsen-etcd/*.log)"
    for f in ok bad; do
        echo "  c10-$f, not split by key:"
        echo "    $("$measure" core-whole 'map:init=""' \
            "$data/porcupine-kv/c10-$f.txt")"
    done
}

# ---- bars 4 and 5: growth, reading, opening

growth()
{
    for n in 10000 31623 100000 316228 1000000; do
        "$generate" $n >"$scratch/$n.hist"
        echo "  $n: $("$measure" decide queue "$scratch/$n.hist")" |
            sed "s,$scratch/,,"
    done
}

reading()
{
    "$generate" 1000000 native >"$scratch/million.hist"
    "$generate" 1000000 binary >"$scratch/million.plumb"
    "$generate" 1000 binary >"$scratch/thousand.plumb"
    echo "  native text: $("$measure" read "$scratch/million.hist")"
    "$measure" open "$scratch/thousand.plumb" "$scratch/million.plumb" |
        sed 's/^/  binary: /'
}

machine
if [ -d "$data" ]; then
    echo
    echo "1. Verdicts on histories recorded by others (bar: all right)"
    verdicts
    echo
    echo "3. Recorded logs, one thread, processor time (bars: etcd mean at most"
    echo "   0.6 ms a log; c10 not split under 0.4 s and 30 MB)"
    logs
else
    echo
    echo "1, 3: left out, no $data"
fi
echo
echo "4. Nearly sequential queue, repeated values, by search (bars: 10^6 under"
echo "   1 GB; time grows linearly)"
growth
echo
echo "5. Reading (bars: native text 5 million events/s; binary opens in"
echo "   milliseconds whatever its size)"
reading
