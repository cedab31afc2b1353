# A violation is confirmed, made as small as it can be, replayed, written down.
command -v cc >/dev/null || exit 77
PLUMB_HOST=$(command -v fake-host)
export PLUMB_HOST
plumb explore tiny_queue.c --init 'enq(7)' --final 'deq() enq(8)' \
    --test 'enq(1) deq() enq(2) | enq(3) | deq() deq()'
echo "exit $?"
cat .plumb/*.schedule
# The same again has the same name, and nothing is written.
plumb explore tiny_queue.c --no-minimise --test 'enq(1) deq() | deq()'
plumb explore tiny_queue.c --no-minimise --test 'enq(1) deq() | deq()' -j 2
ls .plumb
plumb explore tiny_queue.c --json --test 'enq(1) deq() | deq()' -- -DX=1
# Found in the same scenario, whatever runs beside it.
plumb explore tiny_queue.c -j 1 >one
plumb explore tiny_queue.c -j 5 >five
cmp one five && sed -n 1,5p one
# What the specification says is asked again.
FAKE=wrong plumb explore tiny_queue.c --test 'enq(1) | deq()'
echo "exit $?"
FAKE=mistaken plumb explore tiny_queue.c --test 'enq(1) | enq(2)'
echo "exit $?"
# And no violation is told that cannot be repeated.
for fake in diverge forget; do
    FAKE=$fake plumb explore tiny_queue.c --test 'deq() | deq()'
    echo "exit $?"
done
# All there is, and each told once.
plumb explore tiny_queue.c --keep-going --no-minimise
