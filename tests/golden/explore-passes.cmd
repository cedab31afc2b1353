# A pass, and what is none although nothing was found.
command -v cc >/dev/null || exit 77
PLUMB_HOST=$(command -v fake-host)
export PLUMB_HOST
for fake in pass incomplete no-return no-preemption unmodelled memory no-hooks \
    garbage; do
    echo "$fake"
    FAKE=$fake plumb explore tiny_queue.c --test 'enq(1) deq() | deq()'
    echo "exit $?"
done
export FAKE=pass
plumb explore tiny_queue.c -q
plumb explore tiny_queue.c -q -j 7
plumb explore tiny_queue.c -q --threads 2 --ops 1
plumb explore tiny_queue.c -q --preemptions all --test 'enq(1) | deq()'
plumb explore tiny_queue.c -q --preemptions 1 --test 'enq(1) | deq()'
plumb explore tiny_queue.c -q --strategy dpor --opt 0,2 --test 'enq(1) | deq()'
plumb explore tiny_queue.c --seed 7 --samples 5
plumb explore tiny_queue.c --json --seed 7 --samples 5
FAKE=incomplete plumb explore tiny_queue.c -q --require-complete
echo "exit $?"
FAKE=no-return plumb explore tiny_queue.c --json --test 'deq() | deq()'
echo "exit $?"
# Histories are counted where every execution is run to its end.
plumb explore tiny_queue.c --strategy dpor --test 'enq(1) | deq()'
plumb explore tiny_queue.c --strategy dpor --json --test 'enq(1) | deq()'
