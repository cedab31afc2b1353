#!/bin/sh
# coverage.sh PLUMB - what overlapped is of all executions, not of the first
# thousand: by states, a push is in the middle of a pop late.
. "$(dirname "$0")/begin.sh"

timeout 600 "$plumb" explore treiber --preemptions all \
    --test 'push(1) pop() | pop()' >out 2>err </dev/null
if ! grep -q '^  overlapped: push/pop, pop/pop$' out ||
    grep -qE 'never overlapped|never run' out; then
    cat out err
    exit 1
fi
