#!/bin/sh
# quasi.sh PLUMB - --quasi K is k=K, in every command; --quasi auto finds the
# smallest K that passes, as trying one K after the other does.
. "$(dirname "$0")/begin.sh"

complain()
{
    echo "$@"
    failed=1
}

# ---- explore: auto, against one K after the other ----

passes()
{
    "$plumb" explore -q --preemptions 2 "$@" >one 2>&1 </dev/null
    status=$?
    [ $status -le 1 ] || complain "explore $*: $(cat one)"
    return $status
}

# smallest OBJECT SPECIFICATION OPTION...: the first K from 0 on that passes is
# $expected, or "none".
smallest()
{
    object=$1 spec=$2
    shift 2
    for k in 0 1 2 3 4 5 6 7; do
        expected=$k
        passes "$object" --spec "$spec:k=$k" "$@" && return
    done
    expected=none
}

# auto OBJECT SPECIFICATION OPTION...
auto()
{
    smallest "$@"
    object=$1 spec=$2
    shift 2
    "$plumb" explore "$object" --preemptions 2 --spec "$spec" --quasi auto "$@" >out 2>err </dev/null
    status=$?
    case $(head -n 1 out),$status,$expected in
    "$object: no violation with K = $expected "*,0,*) ;;
    "$object: not linearizable with any K,1,none") return ;;
    *) complain "$object $*: not $expected, but $status: $(head -n 1 out err)" ;;
    esac
    needs=$(grep -c "^  K = $((expected - 1)) is too small: not linearizable" out)
    [ "$needs" -eq $((expected > 0)) ] || complain "$object $*: $(cat out)"
    [ "$expected" -eq 0 ] || replays $((expected - 1))
}

# The history that needs K is none for a smaller one, and says so again.
replays()
{
    schedule=$(sed -n 's/^  Replay:  plumb replay //p' out)
    grep -q "^spec .*k=$1\"*\$" "$schedule" || complain "$(grep '^spec' "$schedule")"
    "$plumb" replay "$schedule" -q >again 2>&1
    [ $? -eq 1 ] || complain "$schedule: $(cat again)"
}

four='enq(1) enq(2) enq(3) enq(4)'
for k in 1 2; do
    auto quasi-queue queue --init "$four" --test 'deq() | deq() enq(5)' -- -DK=$k
    auto random-dequeue queue --init "$four" --test 'deq() deq() | deq()' -- -DK=$k
    auto k-stack stack --init 'push(1) push(2) push(3)' \
        --test 'pop() | pop() push(4)' -- -DK=$k
    auto quasi-priority-queue priority-queue \
        --init 'insert(1) insert(2) insert(3)' --test 'delmin() | delmin()' \
        -- -DK=$k
done
auto windowless-queue queue --init "$four" --test 'deq() deq() | deq()'
auto michael-scott queue --test 'enq(1) deq() | deq() enq(2)'
auto quasi-queue-twice queue --init "$four" --test 'deq() | deq()'
auto quasi-queue-give-up queue --init 'enq(1)' --test 'enq(2) deq() | deq()'

# Several processes, generated tests: the same.
for jobs in 1 3; do
    "$plumb" explore windowless-queue --quasi auto --samples 12 --threads 2 \
        -j $jobs >jobs.$jobs 2>/dev/null </dev/null
done
cmp jobs.1 jobs.3 || failed=1
grep -q 'no violation with K = [1-9]' jobs.1 || complain "$(cat jobs.1)"

# ---- K in each command is k=K of the specification ----

cat >out-of-order <<'HISTORY'
Q enq(1) A
Q ok() A
Q enq(2) A
Q ok() A
Q enq(3) A
Q ok() A
Q deq() A
Q ok(3) A
Q deq() A
Q ok(1) A
Q deq() A
Q ok(2) A
HISTORY
for k in 0 1 2 3; do
    for run in 'check' 'monitor' 'simulate -d -i'; do
        for given in '--spec queue' ''; do
            # shellcheck disable=SC2086 # several words
            "$plumb" ${run%% *} --quasi $k -q $given \
                $(echo "$run" | cut -s -d' ' -f2-) out-of-order >out 2>&1 </dev/null
            status=$?
            [ $status -eq $((k < 2)) ] ||
                complain "$run --quasi $k $given: $status: $(cat out)"
        done
    done
done
# In place of the k that the object has.
"$plumb" simulate -d -c queue-coarse --quasi 1 --histories 3 -q >out 2>&1 </dev/null ||
    complain "simulate: $(cat out)"
"$plumb" simulate -d -c windowless-queue --quasi 1000 --histories 3 -q \
    >out 2>&1 </dev/null || complain "simulate: $(cat out)"

# ---- where it cannot apply ----

refused()
{
    expected=$1
    shift
    "$plumb" "$@" >out 2>&1 </dev/null
    status=$?
    { [ $status -eq 2 ] && grep -qF -e "$expected" out; } ||
        complain "$*: $status: $(cat out)"
}
refused 'give --quasi or k' check --spec queue:k=1 --quasi 2 out-of-order
refused 'has no parameter k' check --spec semiqueue --quasi 2 out-of-order
refused 'has no parameter k' monitor --spec set --quasi 2 out-of-order
refused 'k or weak, not both' check --spec queue:weak --quasi 2 out-of-order
refused 'segment, not both' explore segment-queue --spec queue:segment=2 --quasi 1
refused 'built-in specifications only' explore treiber --spec infer --quasi 1
refused 'without --keep-going' explore treiber --quasi auto --keep-going
refused 'has no effect' check --verify out-of-order --quasi 1 out-of-order
exit $failed
