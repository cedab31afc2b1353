#!/bin/sh
# run.sh [--slow] PLUMB [MODEL...] - every model says itself what comes of it.
#
# The first line of models/NAME.csp is
#     // VERDICT, N pairs: what it is
# where N counts the pairs of the plain product as PAT 2 does; further lines
#     // with ARGUMENTS: VERDICT, N pairs
# say the same of other sizes; `slow` before `with` leaves one to --slow.  Every
# engine and reduction has to come to the same verdict, and plumb check to that
# of a violation about the history of a counterexample.
set -u
slow=no
if [ "${1-}" = --slow ]; then
    slow=yes
    shift
fi
if [ $# -eq 0 ]; then
    echo "usage: run.sh [--slow] PLUMB [MODEL...]" >&2
    exit 2
fi
plumb=$1
shift
here=$(cd "$(dirname "$0")/../.." && pwd)
[ $# -gt 0 ] || set -- "$here"/models/*.csp
failed=0

complain()
{
    echo "$*" >&2
    failed=1
}

# What the first line says behind the name of the model.
verdict_of()
{
    sed -n '1s/.*\.csp[^ ]*: \([a-z]*\).*/\1/p'
}

# judged MODEL ARGUMENTS: the history of a counterexample is judged as well, if
# the model names a built-in specification.
judged()
{
    grep -q '^#assert.* linearizable "' "$1" || return 0
    history=${TMPDIR:-/tmp}/models.$$.jsonl
    # shellcheck disable=SC2086
    "$plumb" verify -q --history "$history" $2 "$1" >/dev/null
    "$plumb" check -q "$history" >/dev/null
    [ $? -eq 1 ] ||
        complain "$1 $2: plumb check does not judge its history a violation"
    rm -f "$history"
}

# expect MODEL ARGUMENTS VERDICT PAIRS
expect()
{
    # shellcheck disable=SC2086 # arguments are words
    out=$("$plumb" verify --engine product --count pat2 -q $2 "$1")
    verdict=$(echo "$out" | verdict_of)
    pairs=$(echo "$out" | sed -n 's/.*counted as pat2: \([0-9]*\) states.*/\1/p')
    [ "$verdict $pairs" = "$3 $4" ] ||
        complain "$1 $2: $verdict, $pairs pairs; it says $3, $4 pairs"
    [ "$3" != violated ] || judged "$1" "$2"
    for how in "--engine auto" "--engine antichain" \
        "--engine bisimilar --memory 320M" \
        "--por dynamic" "--engine product --por local -j 2" \
        "--symmetry on" "--symmetry on --engine product --no-por"; do
        # shellcheck disable=SC2086
        other=$("$plumb" verify -q $how $2 "$1" | verdict_of)
        [ "$other" = "$3" ] || complain "$1 $2 $how: $other, not $3"
    done
}

# progress MODEL: it is as one of its first lines says.
progress()
{
    said=$(sed -n 's|^// progress: ||p' "$1")
    process=${said%% *} clients=${said##*(}
    copy=${TMPDIR:-/tmp}/models.$$.csp
    for kind in lockfree waitfree obstructionfree; do
        sed 's/^#assert.*//' "$1" >"$copy"
        echo "#assert $process $kind ($clients;" >>"$copy"
        case $said in
        *"not $kind"*) verdict=violated ;;
        *"$kind"*) verdict=holds ;;
        *) verdict=nothing ;;
        esac
        got=$("$plumb" verify -q "$copy" | sed 's/.*: //')
        [ "$got" = "$verdict" ] ||
            complain "$1: $kind: $got; its line about progress says $verdict"
    done
    rm -f "$copy"
}

for model in "$@"; do
    first=$(sed -n '1s|^// \([a-z]*\), \([0-9]*\) pairs:.*|\1 \2|p' "$model")
    if [ -z "$first" ]; then
        complain "$model: the first line does not say what comes of it"
        continue
    fi
    # shellcheck disable=SC2086
    expect "$model" "" $first
    progress "$model"
    if [ $slow = yes ]; then
        pattern='s|^// \(slow \)\{0,1\}with \(.*\): \([a-z]*\), \([0-9]*\) pairs$|\2;\3;\4|p'
    else
        pattern='s|^// with \(.*\): \([a-z]*\), \([0-9]*\) pairs$|\1;\2;\3|p'
    fi
    sed -n "$pattern" "$model" >"${TMPDIR:-/tmp}/models.$$"
    while IFS=';' read -r arguments verdict pairs; do
        expect "$model" "$arguments" "$verdict" "$pairs"
    done <"${TMPDIR:-/tmp}/models.$$"
    rm -f "${TMPDIR:-/tmp}/models.$$"
done
exit $failed
