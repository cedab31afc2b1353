#!/bin/sh
# run.sh SECONDS [FORMAT...] - fuzz each reader with libFuzzer for so long.
#
# Starts from the seed corpus, in a temporary copy.  Inputs that break a reader
# are copied to ./fuzz-failures, and the exit status is 1.
#
# With AFL++ instead, from the same entry point:
#   cmake -S . -B build-afl -DCMAKE_C_COMPILER=afl-clang-fast
#   cmake --build build-afl
#   afl-fuzz -i tests/fuzz/corpus/edn -o out -- build-afl/tests/fuzz/fuzz_edn
set -eu
seconds=${1:?usage: run.sh SECONDS [FORMAT...]}
shift
[ $# -gt 0 ] || set -- native jepsen edn callret fastlin fptlin jsonl binary recording \
    model

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

CC=${CC:-clang}
flags="-std=c17 -D_GNU_SOURCE -O1 -g -fno-omit-frame-pointer
  -fno-sanitize-recover=all"

# compile WORD...: paths are words of their own, whatever is in them.
compile()
{
    # shellcheck disable=SC2086 # lists of words
    $CC $flags -I"$root/include" -I"$root/src" \
        -I"$root/tests/streams" -I"$root/tests/model-text" "$@"
}

model=$root/src/csp/language
mkdir "$work/objects"
for source in "$root"/src/base/*.c "$root"/src/history/*.c \
    "$root"/src/history/*/*.c "$root"/tests/streams/pieces.c \
    "$model"/scan.c "$model"/fold.c "$model"/built_in.c "$model"/read_*.c \
    "$model"/resolve_*.c "$model"/model_read.c \
    "$root"/tests/model-text/*.c; do
    compile -fsanitize=fuzzer-no-link,address,undefined -c "$source" \
        -o "$work/objects/$(basename "$source" .c).o"
done

failed=0
for format in "$@"; do
    expand=
    target=fuzz
    [ "$format" != recording ] || expand=-DEXPAND
    [ "$format" != model ] || target=fuzz_model
    compile ${expand:+"$expand"} -fsanitize=fuzzer,address,undefined \
        -DFORMAT="$format" "$here/$target.c" "$work"/objects/*.o \
        -o "$work/fuzz_$format" -lpthread
    mkdir "$work/$format"
    cp "$here/corpus/$format"/* "$work/$format/"
    dict=
    [ ! -f "$here/$format.dict" ] || dict=-dict=$here/$format.dict
    echo "fuzzing $format for $seconds s"
    if ! "$work/fuzz_$format" ${dict:+"$dict"} -max_total_time="$seconds" \
        -max_len=4096 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 -verbosity=0 \
        -artifact_prefix="$work/failure-$format-" "$work/$format" \
        >"$work/log" 2>&1; then
        failed=1
        tail -40 "$work/log"
        mkdir -p fuzz-failures
        cp "$work"/failure-"$format"-* fuzz-failures/ 2>/dev/null || :
    fi
    sed -n 's/^stat::number_of_executed_units: */  runs: /p' "$work/log"
done
exit $failed
