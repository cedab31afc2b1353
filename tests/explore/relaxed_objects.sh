#!/bin/sh
# relaxed_objects.sh [-a] PLUMB - are relaxed objects as relaxed as they say?
#
# Each passes with its factor K and fails with K - 1, in a test in which an item
# can leave K places early.  Windows make a segment queue, and the queue without
# them fails with every factor, in tests that grow with it, but never takes an
# item from too far away.  The k-stack pushes an item twice where the compiler
# does not optimise.  -a: larger K, more preemptions, and slots filled anywhere.
all=no
if [ "$1" = -a ]; then
    all=yes
    shift
fi
. "$(dirname "$0")/begin.sh"

# ends VERDICT OBJECT OPTION...
ends()
{
    verdict=$1 object=$2
    shift 2
    "$plumb" explore "$object" --preemptions 2 --no-minimise -q "$@" >out 2>&1 </dev/null
    case $(head -n 1 out) in
    "$object: $verdict"*) return ;;
    esac
    echo "$object $*: not $verdict, but"
    sed 's/^/    /' out
    failed=1
}

# calls NAME FROM TO: "enq(1) enq(2)"
calls()
{
    seq -f "$1(%.0f)" -s ' ' "$2" "$3"
}

# repeated N CALL
repeated()
{
    for _ in $(seq "$1"); do
        printf '%s ' "$2"
    done
}

cat >relaxed <<'TABLE'
quasi-queue queue enq deq
random-dequeue queue enq deq
segment-queue queue enq deq
k-fifo-unbounded queue enq deq
k-fifo-bounded queue enq deq
quasi-stack stack push pop
k-stack stack push pop
quasi-priority-queue priority-queue insert delmin
TABLE

# is_relaxed OBJECT SPECIFICATION ADD REMOVE K: by K, and not by less.
is_relaxed()
{
    object=$1 spec=$2 k=$5
    set -- --init "$(calls "$3" 1 $((k + 1)))" --test "$4() | $3($((k + 2)))" \
        --final "$(repeated $((k + 2)) "$4()")" -- "-DK=$k"
    ends 'no violation' "$object" --spec "$spec:k=$k" "$@"
    ends 'not linearizable' "$object" --spec "$spec:k=$((k - 1))" "$@"
}

factors='1 2'
[ $all = no ] || factors='1 2 3 4'
for k in $factors; do
    while read -r object spec add remove; do
        is_relaxed "$object" "$spec" "$add" "$remove" "$k"
    done <relaxed
done

# The first item is overtaken as often as one likes, by the one behind it.
for k in 0 1 2 3 4 5; do
    ends 'not linearizable' windowless-queue --spec "queue:k=$k" \
        --init "$(calls enq 1 $((k + 2)))" \
        --test "$(repeated $((k + 1)) 'deq()')" --preemptions 0
done
for k in $factors; do
    ends 'no violation' windowless-queue --spec "queue:early=$k" --threads 2 \
        --samples 10 -- "-DK=$k"
done
ends 'not linearizable' windowless-queue --spec queue:early=0

# Items leave segment by segment, and not as a window moves.
three=$(calls enq 1 3)
for object in quasi-queue segment-queue; do
    ends 'no violation' $object --spec queue:segment=2 --init "$three" \
        --test 'deq() deq() | deq() enq(4)'
done
ends 'not linearizable' random-dequeue --spec queue:segment=2 --init "$three" \
    --test 'deq() deq()'

# twice VERDICT VERDICT OBJECT: at -O0, and at -O2, when the top segment is empty.
filled='push(1) push(2) push(3) pop()'
twice()
{
    "$plumb" explore "$3" --opt 0,2 --preemptions 2 --races interleave --init "$filled" \
        --test 'push(4) | pop()' --final 'pop() pop() pop()' --no-minimise -q \
        >out 2>&1 </dev/null
    case $(cat out) in
    "$3 -O0: $1"*"$3 -O2: $2"*) return ;;
    esac
    echo "$3: not $1 and $2, but"
    sed 's/^/    /' out
    failed=1
}

twice 'not linearizable' 'no violation' k-stack-double-read
twice 'no violation' 'no violation' k-stack

if [ $all = yes ]; then
    while read -r object _; do
        for k in 1 2; do
            ends 'no violation' "$object" --threads 2 --preemptions 3 \
                --samples 5 --seed "$k" -- "-DK=$k" -DDRAW_EMPTY
        done
    done <relaxed
fi
exit $failed
