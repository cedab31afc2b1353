monitor() {
    printf '%s\n' "$@" | plumb monitor --spec queue
}
# In order, with a value that comes again, nil, and another queue.
monitor 'Q enq(1) A' 'Q ok() A' 'Q deq() B' 'R enq(1) A' 'Q ok(1) B' \
    'Q enq(1) B' 'R ok() A' 'Q ok() B' 'Q peek() A' 'Q ok(1) A' \
    'Q enq(nil) A' 'Q ok() A' 'Q deq() B' 'Q ok(1) B' 'Q deq() B' 'Q ok(nil) B'
# Nobody can have taken 1.
monitor 'Q enq(1) A' 'Q enq(2) B' 'Q ok() A' 'Q ok() B' 'Q enq(3) A' \
    'Q deq() B' 'Q ok(3) B' 'Q deq() B'
# Somebody took 1, but it was not C.
monitor 'Q enq(1) A' 'Q ok() A' 'Q deq() B' 'Q deq() A' 'Q empty() A' \
    'Q deq() C' 'Q ok(1) C'
monitor 'Q enq(1) A' 'Q ok() A' 'Q deq() B' 'Q empty() B'
monitor 'Q enq(1) A' 'Q ok() A' 'Q enq(1) B'
