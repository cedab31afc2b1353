# A specification that does not return, wherever it is called.
command -v cc >/dev/null || exit 77
PLUMB_HOST=$(command -v fake-host)
export PLUMB_HOST
explore()
{
    plumb explore -q tiny_queue.c --spec queue_that_hangs.c \
        --test 'enq(1) deq() | deq()' "$@"
    echo "exit $?"
}
# by the process that runs the target; the first of them builds it
FAKE=judging explore
FAKE=judging explore --timeout 2
# by the one that judges what was found
FAKE=wrong explore --timeout 2
# by the simulator
plumb simulate -q -c tiny_queue.c --spec queue_that_hangs.c -d --seconds 1
echo "exit $?"
