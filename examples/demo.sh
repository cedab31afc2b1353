#!/bin/sh
# demo.sh PLUMB - explore a queue that is wrong and one that is right, check a
# history, and say what came out.
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

echo
echo "A lock-free ring as in FreeBSD 9.3, in small tests under every schedule with"
echo "at most 2 preemptions:"
show 1 explore buf-ring-full
echo
echo "A ring that is right: every schedule with at most 2 preemptions was run, and"
echo "nothing was found:"
show 0 explore vyukov-recheck
echo
echo "Histories that were recorded elsewhere are checked:"
show 1 check --spec queue examples/queue-not-linearizable.hist
echo
echo "All of it is in a page, too, with the lines of code beside the steps:"
report=$(dirname "$plumb")/demo.html
rm -f "$report"
show 1 explore buf-ring-full --quiet --report "$report"
echo
echo "Look at it with a browser: $report"
echo
echo "Exit status: 0 it holds, 1 violated, 2 bad input, 3 undecided."
echo "Next: make test, or README.md for objects of your own."
