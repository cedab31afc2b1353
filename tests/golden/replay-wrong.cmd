# Schedules that are none, and builds that have changed.
command -v cc >/dev/null || exit 77
PLUMB_HOST=$(command -v fake-host)
export PLUMB_HOST
wrong()
{
    plumb replay "$@"
    echo "exit $?"
}
wrong
wrong a b
wrong --gdb=x a
wrong no-such.schedule
wrong tiny_queue.c
printf 'plumb-schedule 1\ntarget tiny_queue.c\ncalls merged\nsteps 3\nT0 T1*9\n' \
    >long.schedule
wrong long.schedule
printf 'plumb-schedule 1\ntarget tiny_queue.c\ncalls merged\nsteps 3\nT0 T?1\n' \
    >bad.schedule
wrong bad.schedule
printf 'plumb-schedule 1\nbuild-id aaaa\ntarget tiny_queue.c\nspec queue\ntest deq() | deq()\ncalls merged\nsteps 5\nT0*5\n' \
    >good.schedule
wrong good.schedule
FAKE=other-build wrong good.schedule -q
FAKE=other-build wrong good.schedule
FAKE=diverge wrong good.schedule
sed 's/aaaa/cccc/' good.schedule >other.schedule
FAKE=diverge wrong other.schedule
FAKE=pass wrong good.schedule
FAKE=die wrong good.schedule
sed 's/tiny_queue/gone/' good.schedule >gone.schedule
wrong gone.schedule
