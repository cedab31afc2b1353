#!/bin/sh
# roundup.sh [-a] PLUMB - the rows of bench/roundup-tables.txt: does each test
# have as many serial histories as the paper says, and the same verdict?
#
# -a: also with dpor and dfs, and one preemption; the k-stack's fault needs more.
all=no
if [ "$1" = -a ]; then
    all=yes
    shift
fi
. "$(dirname "$0")/begin.sh"
grep -v '^#' "$targets/../../../bench/roundup-tables.txt" >rows
[ "$(wc -l <rows)" -eq 55 ] || { echo "$(wc -l <rows) rows"; failed=1; }

complain()
{
    echo "table $table, $class, $calls: $*"
    failed=1
}

# A queue with one lock, and its like, run serially.
check_serial()
{
    case $spec in
    queue*) golden=queue-coarse ;;
    stack*) golden=stack-coarse ;;
    *) golden=pqueue-unbound ;;
    esac
    found=$("$plumb" explore $golden --spec infer --init "$init" \
        --test "$test" --final "$final" </dev/null 2>&1 |
        sed -n 's/^  Compared with \([0-9]*\) serial .*/\1/p')
    [ "$found" = "$histories" ] ||
        complain "${found:-no} serial histories, not $histories: $test"
}

# check_verdict STRATEGY PREEMPTIONS
check_verdict()
{
    # shellcheck disable=SC2086 # several options, several flags
    "$plumb" explore "$object" $options --spec "$spec" --strategy "$1" \
        --preemptions "$2" --init "$init" --test "$test" \
        --final "$final" --require-complete --no-minimise -q -- $flags \
        >out 2>&1 </dev/null
    case $?,$violation in
    0,NO) ;;
    1,YES) grep -q 'not linearizable$' out || complain "$1: $(cat out)" ;;
    *) complain "violation $violation, but $1: $(cat out)" ;;
    esac
}

while IFS=';' read -r table class object flags options spec _ bound calls \
    init test final violation histories _; do
    grep -qxF "$init;$test;$final" seen 2>/dev/null || check_serial
    echo "$init;$test;$final" >>seen
    check_verdict states "$bound"
    if [ $all = yes ] && [ "$class" != 'k-stack (push+pop)' ]; then
        check_verdict dpor 1
        check_verdict dfs 1
    fi
done <rows
exit $failed
