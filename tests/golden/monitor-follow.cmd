# A file that grows: the last line has no end yet.
printf 'Q enq(1) A\nQ ok() A\nQ deq() A\nQ ok(' >growing.hist
(sleep 1; printf '1) A\nQ deq() B\nQ ok(1) B\n' >>growing.hist) &
timeout 60 plumb monitor --spec queue --follow growing.hist
echo "status $?"
wait
# Interrupted, it says what it knows.
timeout -s INT 1 plumb monitor --spec set --follow /dev/null 2>&1
echo "status $?"
# a FIFO
mkfifo pipe
(printf 'S insert(1) A\nS ok(true) A\n'; printf 'S insert(1) A\nS ok(true) A\n') >pipe &
plumb monitor --spec set pipe
echo "status $?"
wait
