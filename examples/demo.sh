#!/bin/sh
# demo.sh PLUMB - check the example histories, run two objects, and say what
# came out.
set -u
plumb=$1
cd "$(dirname "$0")/.." || exit 2

# show STATUS ARGUMENTS...: run plumb, which is to end with that status.
show()
{
    expected=$1
    shift
    echo
    echo "\$ plumb $*"
    "$plumb" "$@"
    status=$?
    [ $status -eq "$expected" ] && return
    echo "demo: expected exit status $expected, got $status" >&2
    exit 1
}

show 0 check --spec queue examples/queue-linearizable.hist
show 1 check --spec queue examples/queue-not-linearizable.hist
show 1 check --spec register examples/register-stale-read.hist
show 0 check --spec examples/max_register.c examples/max-register.hist
show 1 simulate -c set-no-lock -d
show 0 simulate -c treiber -d --histories 20000
echo
echo "Exit status: 0 linearizable, 1 not, 2 bad input, 3 undecided.  Next: make test"
