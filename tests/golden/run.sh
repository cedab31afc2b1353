#!/bin/sh
# run.sh [--bless] PLUMB [CASE...] - what a user sees, compared byte by byte.
#
# A case is a shell script CASE.cmd.  It runs in a new directory with copies of
# files/ and of the examples, and with plumb in its PATH; what it writes and
# its exit status must be as in CASE.expected.  --bless makes the expectation
# what it is now: read the diff before you commit it.
#
# Nothing depends on how fast the machine is: a case does not sleep until
# something has surely happened, but waits for it (wait-for).
set -u

bless=no
if [ "${1-}" = --bless ]; then
    bless=yes
    shift
fi
if [ $# -eq 0 ]; then
    echo "usage: run.sh [--bless] PLUMB [CASE...]" >&2
    exit 2
fi
plumb=$(realpath "$1")
if [ ! -x "$plumb" ]; then
    echo "run.sh: $1 is not a program" >&2
    exit 2
fi
shift
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 2
work=$(realpath "$work")
trap 'rm -rf "$work"' EXIT
trap 'exit 2' INT TERM

# The same for everybody; SOURCE is the root of the source tree.
SOURCE=$(cd "$here/../.." && pwd)
export SOURCE
export LC_ALL=C.UTF-8 TERM=dumb HOME="$work/home" XDG_CACHE_HOME="$work/cache"
unset NO_COLOR CLICOLOR_FORCE CC CFLAGS CXX CXXFLAGS
mkdir "$work/bin" "$work/home"
ln -s "$plumb" "$work/bin/plumb"
for tool in load-target fake-host; do # for tests only
    ln -s "$(dirname "$plumb")/$tool" "$work/bin/$tool"
done
ln -s "$here/wait-for" "$here/without-times" "$work/bin"
PATH="$work/bin:$PATH"

# Where the case runs and where the sources are, in results that say so; as
# plain text for sed.
plain()
{
    printf '%s' "$1" | sed 's/[][\\.*^$|]/\\&/g'
}
paths="s|$(plain "$work")/case/|/case/|g;s|$(plain "$SOURCE")/|/source/|g"

# The whole outcome of case $1, as one text.
outcome()
{
    rm -rf "$work/case" "$work/cache"
    mkdir "$work/case" "$work/cache"
    cp "$here"/files/* "$SOURCE"/examples/*.hist "$SOURCE"/examples/*.c \
        "$work/case"
    (cd "$work/case" && sh "$here/$1.cmd" </dev/null \
        >"$work/stdout" 2>"$work/stderr")
    status=$?
    [ $status -eq 77 ] && return 77
    echo "--- stdout"
    sed "$paths" "$work/stdout"
    echo "--- stderr"
    sed "$paths" "$work/stderr"
    echo "--- exit $status"
}

failed=0
skipped=0
[ $# -gt 0 ] || set -- "$here"/*.cmd
for case in "$@"; do
    name=$(basename "$case" .cmd)
    if [ ! -e "$here/$name.cmd" ]; then
        echo "$name: no such case" >&2
        exit 2
    fi
    outcome "$name" >"$work/actual"
    if [ $? -eq 77 ]; then
        echo "$name: skipped"
        skipped=77
    elif cmp -s "$work/actual" "$here/$name.expected"; then
        echo "$name: passed"
    elif [ $bless = yes ]; then
        cp "$work/actual" "$here/$name.expected"
        echo "$name: blessed"
    else
        echo "$name: FAILED"
        diff -u "$here/$name.expected" "$work/actual"
        failed=1
    fi
done
[ $failed -eq 1 ] && exit 1
exit $skipped
