# A comment that comes in two pieces, and what follows a history.
(printf 'q enq(1) P1 /* one\n'; sleep 0.3; printf 'two */\nq ok() P1\n\n  \n/* the\n end */\n') |
    plumb monitor --spec queue
# What fails may have taken effect until it does.
printf 'q enq(2) A\nq deq() B\nq ok(2) B\nq fail() A\n' >fail.hist
plumb check --spec queue fail.hist
plumb monitor --spec queue fail.hist
