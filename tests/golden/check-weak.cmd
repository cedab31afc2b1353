# A violation of the strict object only: the strictest weak one that accepts it is
# named, and none for a fault.
say()
{
    for event; do
        echo "Q $event"
    done
}
say 'enq(1) A' 'enq(2) B' 'ok() B' 'deq() B' 'empty() B' 'ok() A' >gap.hist
say 'enq(1) A' 'enq(2) B' 'full() B' 'deq() B' 'empty() B' 'ok() A' >claim.hist
say 'enq(1) A' 'enq(2) B' 'ok() B' 'deq() B' 'ok(2) B' 'full() A' >fault.hist
plumb check --spec queue gap.hist
plumb check --spec queue:cap=1 claim.hist
plumb check --spec queue:cap=2 fault.hist
plumb check --spec queue:cap=2,weak gap.hist
