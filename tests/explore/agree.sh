#!/bin/sh
# agree.sh [-v] [-a] PLUMB - do the strategies agree on objects that spin, and on
# operations that take effect together?
#
# With pruning every strategy ends by itself, all have the same verdict, and
# dpor sees as many histories as dfs, within a bound on preemptions and without.
# -a: with every bound of the table, not only with one and the last.
set -u

verbose=no all_bounds=no
while getopts va option; do
    case $option in
    v) verbose=yes ;;
    a) all_bounds=yes ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -eq 1 ] || { echo "usage: agree.sh [-v] [-a] PLUMB" >&2; exit 2; }
plumb=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
[ -x "$plumb" ] || exit 77
targets=$(cd "$(dirname "$0")/targets" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2

field()
{
    sed -n "s/.*\"$1\":\"*\([^\",}]*\).*/\1/p" "$work/out" | head -n 1
}

# explore STRATEGY BOUND: "verdict" or "verdict, N histories"
explore()
{
    timeout "${LIMIT:-600}" "$plumb" explore object.o --strategy "$1" \
        --preemptions "$2" --test "$test" ${final:+--final "$final"} --json \
        --no-minimise --races ignore ${3:-} >"$work/out" 2>"$work/err" </dev/null
    verdict=$(field verdict)
    complete=$(field complete) histories=$(field histories) runs=$(field executions)
    [ $verbose = no ] ||
        echo "    $1 $2: ${verdict:-?}, complete $complete, $histories histories, $runs executions"
}

wrong()
{
    failed=$((failed + 1))
    echo "not so: $file '$test' $flags: $1"
}

# Verdicts as `states` has them.
agree()
{
    explore states "$1"
    # Two that spin without giving way preempt each other for ever: no bound
    # allows for that, and waiting needs none.
    [ "$verdict" != undecided ] || explore states all
    known=$verdict
    [ -n "$known" ] || wrong "states: $(cat "$work/err")"
    for strategy in dfs dpor; do
        explore $strategy "$1"
        [ "$known" != 'no violation' ] || [ "$complete" = true ] ||
            wrong "$strategy, $1: it does not end"
        [ "$verdict" = "$known" ] || wrong "$strategy, $1: $verdict, not $known"
        [ $strategy = dfs ] && all=$histories
        [ "$known" != 'no violation' ] || [ "$histories" = "$all" ] ||
            wrong "$strategy, $1: $histories histories, not $all"
    done
}

failed=0 run=0
while IFS='|' read -r file flags bounds; do
    case $file in '' | '#'*) continue ;; esac
    [ $all_bounds = yes ] || bounds="1 ${bounds##* }"
    # shellcheck disable=SC2086
    "$plumb" cc -g -fPIC -c $flags "$targets/$file" -o object.o || exit 2
    while read -r test <&4; do
        final=
        case $test in *inc*) final='get()' ;; esac
        for bound in $bounds; do
            run=$((run + 1))
            [ $verbose = no ] || echo "$file '$test' $flags, $bound preemptions"
            agree "$bound"
        done
    done 4<<TESTS
$(case $file in
    *queue*) echo 'take() | put(1)'; echo 'take() | put(1) take() | put(2)' ;;
    *barrier*) echo 'signal_and_wait() | signal_and_wait()'
        echo 'signal_and_wait() | cancel_token() participants_remaining()'
        echo 'signal_and_wait() | signal_and_wait() | remove_participant()' ;;
    *exchanger*) echo 'exchange(1) | exchange(2)'
        echo 'exchange(1) | try_exchange(2)'
        echo 'try_exchange(1) | try_exchange(2)' ;;
    *) echo 'inc() | inc()'; echo 'inc() get() | inc()' ;;
    esac)
TESTS
done <<TABLE
object_spin_locks.c||0 1 2 all
object_spin_locks.c|-DPOLITE|0 1 2 all
object_spin_locks.c|-DSWAP|0 1 2 all
object_spin_locks.c|-DLOOK_FIRST|0 1 2 all
object_spin_locks.c|-DLOOK_FIRST -DPOLITE|0 1 2 all
object_spin_locks.c|-DTICKET|0 1 2 all
object_spin_locks.c|-DTRY_MUTEX|0 1 2 all
object_spin_locks.c|-DTRY_SEMAPHORE|0 1 2 all
object_spin_locks.c|-DTWO_FLAGS|0 1 2
object_spin_locks.c|-DMCS|0 1 2
object_spin_locks.c|-DOPEN|0 1 2 all
object_spin_locks.c|-DKEPT|0 1 2 all
object_spin_locks.c|-DKEPT -DPOLITE|0 1 2 all
object_spinning_queue.c||0 1 2
object_spinning_queue.c|-DWRONG_CELL|0 1 2
../../../objects/lineup/phase_barrier.c|-DSETLIN|1 2
../../../objects/lineup/phase_barrier.c|-DSETLIN -DFAULT_EARLY|1
../../../objects/lineup/phase_barrier.c|-DSETLIN -DFAULT_SECOND_READ|1
../../../objects/exchanger/exchanger.c||1 2
../../../objects/exchanger/exchanger.c|-DFAULT_TAKE_BACK|1
TABLE
echo "$run comparisons, $failed not so"
[ $failed -eq 0 ]
