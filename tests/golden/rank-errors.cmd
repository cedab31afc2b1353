# How far out of order items leave, printed and drawn.
command -v cc >/dev/null || exit 77
cat >queue.log <<'END'
Q enq(1) A
Q ok() A
Q enq(2) A
Q ok() A
Q enq(3) A
Q ok() A
Q deq() A
Q deq() B
Q ok(3) A
Q ok(1) B
Q deq() A
Q ok(2) A

Q enq(1) A
Q ok() A
Q deq() A
Q ok(2) A
END
sed -e 's/Q/S/' -e 's/enq/push/' -e 's/deq/pop/' queue.log >stack.log
sed -e 's/Q/P/' -e 's/enq/insert/' -e 's/deq/delmin/' queue.log >priority.log
for kind in queue stack priority-queue; do
    plumb check -q "${kind%-queue}.log" --spec "$kind" --rank-errors - 2>&1
done
plumb check -q queue.log --spec queue:k=1 --rank-errors ranks.svg
echo "exit $?"
cat ranks.svg
plumb check -q queue.log --spec queue:k=1 --rank-errors ranks.svg
echo "exit $?"
plumb explore quasi-queue --strategy dfs --preemptions 0 --rank-errors - \
    --init 'enq(1) enq(2) enq(3) enq(4)' --test 'deq()' \
    --final 'deq() deq() deq()' -q -- -DK=3
plumb simulate -i queue.log -s queue:k=1 -d -q --rank-errors -
plumb explore quasi-queue --rank-errors -
plumb explore quasi-queue --strategy dfs --rank-errors - --quasi 1 \
    --algorithm round-up
echo "exit $?"
