#!/bin/sh
# differential.sh SOURCE BUILD [-f] - inline assembly ends with hooks as it does
# without: registers, flags and memory (differential.c).  -f: with both compilers
# at every level of optimisation, and many random operands.
set -u
source=$(realpath "$1") build=$(realpath "$2")
here=$source/tests/assembly
[ "$(uname -m)" = x86_64 ] && command -v python3 >/dev/null || exit 77
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0

# compile COMPILER LEVEL NAME WORD...: the forms, as functions NAME_0, ...
compile()
{
    compiler=$1 level=$2 name=$3
    shift 3
    # At -O0, too, the stack has to be where the forms expect it.
    "$compiler" "$level" -fomit-frame-pointer -c -I"$here" \
        -DPREFIX="${name}_" -DFORMS="\"$work/forms.h\"" "$@" \
        "$here/functions.c" -o "$name.o"
}

# compare COMPILER LEVEL SEED COUNT ROUNDS
compare()
{
    python3 "$here/forms.py" "$3" "$4" >forms.h || exit 2
    hooks=-B$build/assembler/
    case $1 in
    clang*) set -- "$@" -fno-integrated-as ;;
    *) set -- "$@" -fno-lto ;;
    esac
    if compile "$1" "$2" plain && compile "$1" "$2" hooked "$hooks" "$6" &&
        "${CC:-cc}" -O1 -I"$source" "$here/differential.c" plain.o hooked.o \
            -o differential && timeout 600 ./differential "$5" "$3"; then
        return
    fi
    echo "$1 $2: forms.py $3 $4, differential $5 $3"
    failed=1
}

if [ "${3:-}" != -f ]; then
    compare gcc -O2 1 1 20
    exit $failed
fi
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    for level in -O0 -O1 -O2 -O3; do
        compare $compiler $level $$ 20 500
    done
done
exit $failed
