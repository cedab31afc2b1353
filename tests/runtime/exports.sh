#!/bin/sh
# exports.sh PLUMB - shared objects find in PLUMB every function that
# <plumb/object.h> declares, those of <plumb/history.h> that read the symbols of
# a call, and every hook, and nothing else of it.
set -eu
plumb=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
    sed -n 's/^[a-z].*[ *]\(plumb_[a-z_]*\)(.*;.*/\1/p' include/plumb/object.h
    sed -n 's/^[a-z].*[ *]\(plumb_symbol_[a-z_]*\)(.*/\1/p' \
        include/plumb/history.h
} | sort >"$work/declared"
nm -D --defined-only "$plumb" | sed 's/.* //' | grep -v @ | sort >"$work/all"
grep '^plumb_' "$work/all" >"$work/exported"
[ -s "$work/declared" ]
diff "$work/declared" "$work/exported"
grep -v '^plumb_' "$work/all" >"$work/others" || true
if grep -v -e '^__tsan_' -e '^__ubsan_handle_out_of_bounds$' "$work/others"; then
    echo "exports.sh: these are nobody's business" >&2
    exit 1
fi
for hook in init read1 write_range vptr_read memcpy atomic8_load \
    atomic64_compare_exchange_val atomic_thread_fence; do
    grep -qx "__tsan_$hook" "$work/others" || { echo "no $hook"; exit 1; }
done
