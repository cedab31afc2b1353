# A mapped file may hold anything.  The last byte of an operation is its
# fourth zero; one that is no zero, and ranks and threads that are none.
plumb convert queue-linearizable.hist good.plumb
damage()
{
    cp good.plumb bad.plumb
    printf '\377\377\377\177' | dd of=bad.plumb bs=1 seek="$1" conv=notrunc \
        2>/dev/null
    plumb check --spec queue bad.plumb
    plumb convert bad.plumb -
    plumb check --verify proof.txt bad.plumb
    plumb check bad.plumb
}
plumb check --spec queue --witness proof.txt good.plumb
for word in 0 1 2 3 4 5 6 7; do
    damage $((128 + 4 * word))
done
