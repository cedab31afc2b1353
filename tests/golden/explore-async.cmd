# An operation whose effect comes after its return.
command -v cc >/dev/null || exit 77
explore()
{
    plumb explore late_gate.c "$@" | sed 's/-[0-9a-f]*\.schedule/.schedule/'
}
test='visit() | close() is_closed()'
explore --test "$test"
explore --test "$test" --async close --observations late.xml
sed '/build:/d; /digest:/d' late.xml
explore --test "$test" --async close --observations late.xml -q
for strategy in dfs dpor states; do
    explore --test "$test" --async close --strategy $strategy -j 2 -q
    explore --test "$test" --strategy $strategy -q
done
# before and after the threads it is the same
explore --init 'close()' --test 'visit() | is_closed()' --final 'is_closed()' \
    --async close --preemptions all -q
# it hides nothing else; the schedule says it was there
test='visit() | close() is_closed() is_closed()'
explore --test "$test" --async close --preemptions 3 -q
explore --test "$test" --async close --preemptions 3 -- -DREOPENS
grep -h '^async' .plumb/*.schedule
plumb replay "$(grep -l '^async' .plumb/*.schedule)" -q
explore --test "$test" --async close,visit --preemptions 3 -q -- -DREOPENS
# what cannot be
wrong()
{
    plumb explore late_gate.c --test "$test" "$@"
    echo "exit $?"
}
wrong --async open
wrong --async close,
wrong --async ''
wrong --async close --spec queue
wrong --async close --nondet close=closed
wrong --observations late.xml
