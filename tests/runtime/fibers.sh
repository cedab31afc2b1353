#!/bin/sh
# fibers.sh - fibers on processors that are not this one, by emulation.
#
# Each for which a compiler and an emulator are here; 77 if there is none.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tried=0

for processor in x86_64 aarch64 riscv64; do
    compiler=$processor-linux-gnu-gcc emulator=qemu-$processor
    command -v "$compiler" >/dev/null || continue
    command -v "$emulator" >/dev/null || continue
    for level in -O0 -O2; do
        "$compiler" $level -std=c17 -D_GNU_SOURCE -pthread -Wall -Wextra \
            -Wpedantic -Wconversion -Wmissing-prototypes -Werror \
            -I"$root" -I"$root/src" "$root/tests/runtime/test_fibers.c" \
            "$root"/runtime/explore/scheduler/fiber*.c -o "$work/test" || exit 1
        timeout 60 "$emulator" -L "/usr/$processor-linux-gnu" "$work/test" || {
            echo "fibers.sh: wrong on $processor at $level" >&2
            exit 1
        }
        echo "$processor $level"
        tried=$((tried + 1))
    done
done
[ $tried -gt 0 ] || exit 77
