# A target may do anything to the process it runs in.
command -v cc >/dev/null || exit 77
PLUMB_HOST=$(command -v fake-host)
export PLUMB_HOST
for fake in die exit; do
    FAKE=$fake plumb explore tiny_queue.c --test 'enq(1) | deq()'
    echo "exit $?"
done
# It stops when it is told, or else is killed.
for fake in endless hang; do
    FAKE=$fake plumb explore tiny_queue.c --timeout 2 --json \
        --test 'enq(1) | deq()' | sed 's/"executions":[0-9]*/"executions":N/'
done
FAKE=endless BEGUN=begun plumb explore tiny_queue.c --test 'enq(1) | deq()' \
    >out 2>&1 &
wait-for file begun
kill -INT $!
wait $!
echo "exit $?"
sed 's/[0-9]* schedules/N schedules/' out
