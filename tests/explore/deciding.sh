#!/bin/sh
# deciding.sh PLUMB - time and memory that a history takes to be decided are not
# without limits, and to come to them is no error.
. "$(dirname "$0")/begin.sh"

for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
    test="${test-}${test:+ | }push($i) push(1$i) pop()"
done
# within LIMIT REASON: it is incomplete, which is no error.
within()
{
    # shellcheck disable=SC2086 # an option and its value
    timeout 600 "$plumb" explore treiber --strategy random $1 --test "$test" \
        >out 2>&1 </dev/null
    status=$?
    [ $status -ne 1 ] && [ $status -ne 2 ] &&
        grep -q "^  incomplete: $2" out && return
    echo "$1: status $status"
    cat out
    failed=1
}

within '--timeout 2' 'the time was up'
within '--memory 100M' 'the memory was used up'

# So little that there may be none left before a test has begun.
for limit in '--memory 1k' '--memory 10k' '--timeout 0.001' '--timeout 0.003' \
    '--timeout 0.01' '--timeout 0.02' '--timeout 0.03' '--timeout 0.05'; do
    # shellcheck disable=SC2086 # an option and its value
    timeout 600 "$plumb" explore counter-lock $limit >out 2>&1 </dev/null
    status=$?
    [ $status -eq 0 ] || [ $status -eq 3 ] && continue
    echo "$limit: status $status"
    cat out
    failed=1
done

# However large the numbers, a line is as long as a screen is wide.
timeout 600 "$plumb" explore treiber --timeout 2 --preemptions 1 \
    --test "$test" >out 2>&1 </dev/null
awk 'length > 80 { print; bad = 1 } END { exit bad }' out || failed=1
exit $failed
