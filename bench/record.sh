#!/bin/sh
# record.sh [BUILD] - what recording costs: in memory, and on the disk that
# TMPDIR is on.
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
cmake --build "$build" --target record-bench >/dev/null
work=$(mktemp -d)
shm=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
trap 'rm -rf "$work" "$shm"' EXIT INT TERM

echo "bar: at most 30 ns beyond the stamps"
for place in "$shm" "$work"; do
    echo
    echo "in $(df --output=fstype "$place" | tail -1), $(nproc) threads"
    "$build/bench/record-bench" "$place/bench.rec" "$(nproc)"
    rm -f "$place/bench.rec"
done
