# A file that grows: the last line has no end yet.
printf 'Q enq(1) A\nQ ok() A\nQ deq() A\nQ ok(' >growing.hist
plumb monitor --spec queue --follow growing.hist &
wait-for read 35 growing.hist $!
printf '1) A\nQ deq() B\nQ ok(1) B\n' >>growing.hist
wait $!
echo "status $?"
# Interrupted, it says what it knows.
: >nothing.hist
plumb monitor --spec set --follow nothing.hist &
wait-for open nothing.hist $!
kill -INT $!
wait $!
echo "status $?"
# a FIFO
mkfifo pipe
(printf 'S insert(1) A\nS ok(true) A\n'; printf 'S insert(1) A\nS ok(true) A\n') >pipe &
plumb monitor --spec set pipe
echo "status $?"
wait
# A file that is cut off, or gives its name to another, is noticed.
printf 'Q enq(1) A\nQ ok() A\n' >cut.hist
plumb monitor --spec queue --follow cut.hist &
wait-for read 20 cut.hist $!
truncate -s 7 cut.hist
wait $!
echo "status $?"
printf 'Q enq(1) A\nQ ok() A\n' >moved.hist
plumb monitor --spec queue --follow moved.hist 2>said &
wait-for read 20 moved.hist $!
ln moved.hist old.hist
printf 'Q deq() A\n' >new.hist
mv new.hist moved.hist
wait-for line "a new file" said
printf 'Q deq() A\nQ ok(2) A\n' >>old.hist
wait $!
echo "status $?"
cat said >&2
# A recording has to be a file.
plumb simulate -q --record recording -c treiber -p 2 -n 5 >/dev/null
cat recording | plumb monitor --spec stack -
echo "status $?"
