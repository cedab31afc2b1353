#!/bin/sh
# same.sh SIMULATED EXPLORED - programs with hooks do what they do without.
#
# Each source, by each compiler that is here, at three levels of optimization:
# the object calls hooks of the kinds that are expected, every hook it calls is
# in both libraries, and the program prints what it prints without hooks.
set -eu
simulated=$1 explored=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tried=0

fail()
{
    echo "same.sh: $*" >&2
    exit 1
}

# Without hooks, 16 bytes may need it.
libatomic_of()
{
    echo 'int main(void) { return 0; }' >"$work/empty.c"
    ! "$1" -x c "$work/empty.c" -latomic -o "$work/empty" 2>/dev/null ||
        echo -latomic
}

gcc_flags='-fsanitize=thread --param=tsan-distinguish-volatile=1 -Wno-tsan'
clang_flags='-fsanitize=thread -mllvm -tsan-instrument-read-before-write=1
    -mllvm -tsan-distinguish-volatile=1'
[ "$(uname -m)" != x86_64 ] || clang_flags="$clang_flags -mcx16"

# run_with LIBRARY: the hooked object, linked with it, does as the plain one.
run_with()
{
    # clang does not trust the alignment of std::atomic<struct>.
    case $compiler in
    clang++*) needed=$libatomic ;;
    *) needed= ;;
    esac
    # shellcheck disable=SC2086 # a word or none
    "$compiler" "$work/hooked.o" "$1" -pthread -o "$work/hooked" $needed
    ! nm -u "$work/hooked" | grep __tsan_ || fail "$what: hooks are missing"
    "$work/hooked" >"$work/actual" || fail "$what, ${1##*/}: status $?"
    diff "$work/expected" "$work/actual" || fail "$what, ${1##*/}: differs"
}

# try COMPILER SOURCE WANTED FLAGS...
try()
{
    compiler=$1 source=$2 wanted=$3 libatomic=$(libatomic_of "$1")
    shift 3
    tried=$((tried + 1))
    # shellcheck disable=SC2086 # a word or none
    "$compiler" -O0 -w "$source" -pthread $libatomic -o "$work/plain" ||
        fail "$compiler ${source##*/}: not even without hooks"
    "$work/plain" >"$work/expected" || fail "$compiler: status $?"
    for level in -O0 -O1 -O2; do
        what="$compiler $level ${source##*/}"
        "$compiler" $level -w "$@" -c "$source" -o "$work/hooked.o"
        nm -u "$work/hooked.o" | sed -n 's/.* \(__tsan_.*\)/\1/p' >"$work/calls"
        for hook in $wanted; do
            grep -qx "__tsan_$hook" "$work/calls" ||
                fail "$what: does not call __tsan_$hook"
        done
        run_with "$simulated"
        run_with "$explored"
    done
}

c='read1 read2 read4 read8 write1 write2 write4 write8 volatile_read1
    volatile_read8 volatile_write2 volatile_write4 atomic8_load
    atomic64_store atomic16_exchange atomic32_fetch_add atomic64_fetch_sub
    atomic8_fetch_and atomic16_fetch_or atomic32_fetch_xor atomic64_fetch_nand
    atomic_thread_fence func_entry func_exit init'
cxx='vptr_update read4 write8 atomic32_fetch_add atomic32_fetch_xor
    atomic64_exchange atomic8_load'
c_gcc='write_range atomic8_compare_exchange_strong
    atomic64_compare_exchange_weak'
c_clang='unaligned_read4 unaligned_write8 unaligned_volatile_read8
    atomic8_compare_exchange_val'
if [ "$(uname -m)" = x86_64 ]; then
    c="$c atomic128_load atomic128_store atomic128_exchange"
fi

# versions_of COMPILER: all that are here, each once.
versions_of()
{
    seen=' '
    for version in '' -11 -12 -13 -14 -15 -16 -17 -18 -19 -20 -21; do
        program=$(command -v "$1$version") || continue
        program=$(realpath "$program")
        case $seen in
        *" $program "*) continue ;;
        esac
        seen="$seen$program "
        echo "$1$version"
    done
}

# shellcheck disable=SC2086 # lists of words
{
    for cc in $(versions_of gcc); do
        try "$cc" "$here/accesses.c" "$c $c_gcc" $gcc_flags
    done
    for cc in $(versions_of clang); do
        try "$cc" "$here/accesses.c" "$c $c_clang" $clang_flags
    done
    for cc in $(versions_of g++); do
        try "$cc" "$here/accesses.cc" "$cxx" -std=c++17 $gcc_flags
    done
    for cc in $(versions_of clang++); do
        try "$cc" "$here/accesses.cc" "$cxx vptr_read" -std=c++17 $clang_flags
    done
}
[ $tried -gt 0 ] || { echo "no compiler here"; exit 77; }
