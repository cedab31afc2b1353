#!/bin/sh
# run.sh [--bound N] SCHEDULES INDEX... - is each object as its index says?
#
# A faulty object (violation, weak) has no wrong history where operations do
# not overlap (unless it needs no preemption), none in any schedule with fewer
# preemptions than stated, and one with that many.  By the weaker specification
# of the entry, if there is one, weak ones are right and violations are not.  One
# that gets stuck has some execution that is, and no wrong history.  A correct
# one has neither, in all schedules with at most N preemptions, 2 unless --bound
# says otherwise.  None uses freed memory before its fault shows, and all can be
# set up again.  What is otherwise is told; the status is then 1.
set -u
command -v gcc nm addr2line >/dev/null || exit 77
bound=2
if [ "$1" = --bound ]; then
    bound=$2
    shift 2
fi
schedules=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 2' INT TERM
entries=0
bad=0

# try OPTION...: explore the entry; sets `status` and `line`, its first line.
try()
{
    set -- "$@" --scenario "$scenario" --limit 1000000000
    [ "$init" = - ] || set -- "$@" --init "$init"
    [ "$final" = - ] || set -- "$@" --final "$final"
    timeout 3600 "$schedules" "$work/object.so" "$@" >"$work/out" 2>&1
    status=$?
    line=$(head -n 1 "$work/out")
}

complain()
{
    bad=$((bad + 1))
    echo "$index:$at: $object: $1"
    sed 's/^/    /' "$work/out"
}

# holds WHEN OPTION...: every history is linearizable, and nothing else wrong.
holds()
{
    when=$1
    shift
    try "$@"
    [ $status -eq 0 ] || complain "fails $when"
    case $line in
    *' dead 0'*) ;;
    *) [ $status -ne 0 ] || complain "uses freed memory $when" ;;
    esac
}

# fails STATUS WHAT [PREEMPTIONS [OPTION...]]: it does, with so many and not with
# fewer.
fails()
{
    wanted=$1 what=$2 most=${3:-$bound} below=
    stated=${3:-at most $bound}
    [ $# -lt 3 ] || shift
    shift 2
    if [ "$most" = "$stated" ] && [ "$most" -gt 0 ]; then
        holds "with fewer than $most preemptions" --preemptions $((most - 1)) \
            "$@"
        below="; below, ${line%%,*}"
    fi
    try --preemptions "$most" "$@"
    [ $status -eq "$wanted" ] || complain "is not $what with $most preemptions"
    line="$what with $stated preemptions$below"
}

# By the weaker specification.
check_weaker()
{
    told=$line
    if [ "$expect" = weak ]; then
        holds "by $weak" --preemptions "$bound" --spec "$weak"
        line="$told; by $weak, ${line%%,*}"
    else
        fails 1 "violated by $weak" "$preemptions" --spec "$weak"
    fi
}

check_entry()
{
    # As --opt has it, if that is among the options.  Races are interleaved.
    level=$(echo "$options" | sed -n 's/.*--opt \([0-9s]\).*/-O\1/p')
    # shellcheck disable=SC2086 # a list of words, or none
    if ! "$here/build.sh" "$folder/$source" "$work/object.so" $flags $level \
        >"$work/out" 2>&1; then
        complain 'cannot be built'
        return
    fi
    if [ "$expect,$preemptions" != violation,0 ]; then
        holds 'where operations do not overlap' --serial
        holds 'when it is set up again' --serial --again
    fi
    case $expect,$preemptions in
    linearizable,*) holds "with $bound preemptions" --preemptions "$bound" ;;
    stuck,-) fails 4 stuck ;;
    stuck,*) fails 4 stuck "$preemptions" ;;
    *) fails 1 violated "$preemptions" ;;
    esac
    [ "$weak" = - ] || check_weaker
}

# Every source of the folder has an entry, every entry a source.
check_sources()
{
    for file in "$folder"/*.c; do
        cut -f 3 "$work/entries" | grep -qxF "$(basename "$file")" && continue
        bad=$((bad + 1))
        echo "$index: has no entry for $file"
    done
}

tab=$(printf '\t')
for index; do
    folder=$(dirname "$index")
    if ! LC_ALL=C awk -f "$here/read-index.awk" "$index" >"$work/entries"; then
        bad=$((bad + 1))
        continue
    fi
    [ "${index##*/}" != index ] || check_sources
    while IFS=$tab read -r at object source flags expect preemptions init \
        scenario final options weak; do
        entries=$((entries + 1))
        [ "$flags" != - ] || flags=
        before=$bad
        check_entry
        [ $bad -gt $before ] || echo "$object: $line"
    done <"$work/entries"
done

echo "$entries objects, $bad complaints"
[ $bad -eq 0 ] && [ $entries -gt 0 ]
