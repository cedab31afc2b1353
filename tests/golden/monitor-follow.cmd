# A file that grows: the last line has no end yet.
printf 'Q enq(1) A\nQ ok() A\nQ deq() A\nQ ok(' >growing.hist
(sleep 1; printf '1) A\nQ deq() B\nQ ok(1) B\n' >>growing.hist) &
timeout 60 plumb monitor --spec queue --follow growing.hist
echo "status $?"
wait
# Interrupted, it says what it knows.
timeout -s INT 3 plumb monitor --spec set --follow /dev/null 2>&1
echo "status $?"
# a FIFO
mkfifo pipe
(printf 'S insert(1) A\nS ok(true) A\n'; printf 'S insert(1) A\nS ok(true) A\n') >pipe &
plumb monitor --spec set pipe
echo "status $?"
wait
# A file that is cut off, or gives its name to another, is noticed.
printf 'Q enq(1) A\nQ ok() A\n' >cut.hist
(sleep 1; truncate -s 7 cut.hist) &
timeout 60 plumb monitor --spec queue --follow cut.hist
echo "status $?"
wait
printf 'Q enq(1) A\nQ ok() A\n' >moved.hist
(sleep 1; ln moved.hist old.hist; printf 'Q deq() A\n' >new.hist; mv new.hist moved.hist; sleep 3; printf 'Q deq() A\nQ ok(2) A\n' >>old.hist) &
timeout 60 plumb monitor --spec queue --follow moved.hist
echo "status $?"
wait
# A recording has to be a file.
plumb simulate --record recording -c treiber -p 2 -n 5 >/dev/null
cat recording | plumb monitor --spec stack -
echo "status $?"
