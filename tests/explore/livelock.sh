#!/bin/sh
# livelock.sh PLUMB - a livelock that is replayed is gone round, not believed.
. "$(dirname "$0")/begin.sh"

# replayed STATUS TEXT: is that what comes of the schedule?
replayed()
{
    "$plumb" replay here.schedule >out 2>&1 </dev/null
    status=$?
    [ $status -eq "$1" ] && grep -q "$2" out && return
    echo "status $status, not $1, or it does not say '$2':"
    cat out
    failed=1
}

"$plumb" explore "$targets/polite.c" --preemptions all >out 2>&1 </dev/null
cp .plumb/*.schedule whole || exit 1
cycle=$(sed -n 's/^cycle //p' whole)
steps=$(sed -n 's/^steps //p' whole)

cp whole here.schedule
replayed 1 "steps $((steps - cycle)) to $((steps - 1)) repeat for ever"

# One step alone leads elsewhere, and if it cannot be done it is no cycle.
sed 's/^cycle .*/cycle 1/' whole >here.schedule
replayed 3 'do not show what they once did (livelock)'
sed '/^cycle/d' whole >here.schedule
replayed 3 'do not show what they once did (livelock)'
sed "s/^cycle .*/cycle $steps/" whole >here.schedule
replayed 3 'do not show what they once did (livelock)'
sed "s/^cycle .*/cycle $((steps + 1))/" whole >here.schedule
replayed 2 'the cycle is longer than the schedule'

# Who comes round to where it was is not preempted, in all that is told of it.
rm -f .plumb/*
"$plumb" explore "$targets/philosophers.c" --preemptions all -- -DTRY \
    >out 2>&1 </dev/null
cp .plumb/*.schedule here.schedule
told=$(sed -n 's/^  Found after [0-9]* schedules* (\([0-9]* preemptions*\).*/\1/p' out)
grep -q "interleaving ($told;" out || { failed=1 && cat out; }
replayed 1 "interleaving ($told;"

# A circle is found in states that were first reached by the first calls of all
# functions, and gone round by later ones: they must not differ by what the
# calls leave on stacks.
"$plumb" explore herlihy-wing --preemptions 0 \
    --test 'enq(11) | deq() | deq()' >out 2>&1 </dev/null ||
    { failed=1 && cat out; }
grep -q '^  2 schedules waited for ever, ' out || { failed=1 && cat out; }
exit $failed
