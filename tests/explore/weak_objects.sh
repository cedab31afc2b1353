#!/bin/sh
# weak_objects.sh [-a] PLUMB - which rings are as weak as they say?
#
# Each object passes with its kind of weak answers and fails without, by states,
# dpor and dfs alike; real faults fail all the same.  What real threads did is
# decided alike by check and monitor.  -a: with every bound, all tests of two
# threads, and a hundred drawn ones of 3 x 2, up to 3 preemptions.
all=no
if [ "$1" = -a ]; then
    all=yes
    shift
fi
. "$(dirname "$0")/begin.sh"

# ends VERDICT OBJECT SPECIFICATION OPTION...
ends()
{
    verdict=$1 object=$2 spec=$3
    shift 3
    "$plumb" explore "$object" --spec "$spec" --no-minimise -q "$@" >out 2>&1 </dev/null
    case $(head -n 1 out) in
    "$object: $verdict"*) return ;;
    esac
    echo "$object $spec $*: not $verdict, but"
    sed 's/^/    /' out
    failed=1
}

# same FILE SPECIFICATION: check and monitor say the same of each history.
same()
{
    "$plumb" check "$1" --spec "$2" -q >checked 2>&1
    # A history begins after an empty line.
    awk -v RS= '{ print >("history." NR) }' "$1"
    i=1
    while [ -f history.$i ]; do
        "$plumb" monitor --spec "$2" -q history.$i >monitored 2>&1
        a=$(sed -n "s/^$1#$i: \([a-z ]*[a-z]\).*/\1/p" checked)
        b=$(sed -n 's/^history[.0-9]*: \([a-z ]*[a-z]\).*/\1/p' monitored)
        [ -n "$a" ] && [ "$a" = "$b" ] || {
            echo "$object $2, history $i: check says $a, monitor $b"
            failed=1
        }
        rm history.$i
        i=$((i + 1))
    done
    [ $i -gt 10 ] || { echo "$object: $i histories"; failed=1; }
}

# Object, what it is, what it is not, and a test that tells; flags.
cat >rings <<'TABLE'
vyukov;queue:cap=4,weak;queue:cap=4,weak=claim;;enq(1) | enq(2) deq();
mpsc;queue:weak;queue:weak=claim;;enq(2) deq() | enq(1);
buf-ring;queue:cap=2,weak=claim;queue:cap=2;;enq(1) | enq(2) | enq(3) deq();-DCAPACITY=2
two-index-ring;queue:cap=2,weak=claim;queue:cap=2;enq(1);enq(2) | deq() | deq() enq(3);
one-consumer-index-ring;queue:cap=2,weak=claim;queue:cap=2;;enq(1) | enq(2) | enq(3) deq();
pool-queue;queue:cap=2,weak=pool;queue:cap=2,weak;enq(1) enq(2);deq() | deq() enq(3) enq(4);
counted-consumers;queue:weak=scan;queue:weak;enq(1);deq() enq(2) deq() | deq();
TABLE
cat >faults <<'TABLE'
buf-ring-full;queue:cap=2,weak
buf-ring-aba;queue:cap=2,weak
two-index-ring-no-wait;queue:cap=2,weak
one-consumer-index-ring-full;queue:cap=2,weak
pool-queue-early;queue:cap=2,weak=pool
counted-consumers-unchecked;queue:weak=scan
TABLE

bounds='2'
[ $all = no ] || bounds='1 2 all'
while IFS=';' read -r object right wrong init test flags; do
    for bound in $bounds; do
        for strategy in states dpor dfs; do
            # Three that spin have too many schedules.
            case "$strategy,$bound,$test" in
            dfs,all,*'|'*'|'*) continue ;;
            esac
            set -- --strategy $strategy --preemptions "$bound" \
                --init "$init" --test "$test" -- $flags
            ends 'no violation' "$object" "$right" "$@"
            ends 'not linearizable' "$object" "$wrong" "$@"
        done
    done
    ends 'no violation' "$object" "$right" --preemptions 0 --init "$init" \
        --test "$test" -- $flags
    if [ $all = yes ]; then
        ends 'no violation' "$object" "$right" --threads 2 --ops 2 \
            --preemptions 3 -- $flags
        ends 'no violation' "$object" "$right" --threads 3 --ops 2 \
            --samples 100 --preemptions 3 -- $flags
    fi
    # Real threads: every history of some, by both.
    "$plumb" simulate -d -c "$object" -s "$right" --histories 20 -p 3 -n 6 -q \
        -o histories -- $flags >out 2>&1 </dev/null || {
        echo "simulate $object: $(cat out)"
        failed=1
    }
    same histories "$right"
    same histories "$wrong"
    rm -f histories
done <rings

while IFS=';' read -r object spec; do
    ends 'not linearizable' "$object" "$spec" --threads 2 --ops 3 \
        --preemptions 2
done <faults
exit $failed
