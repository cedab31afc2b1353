printf '%s\n' 'B wait() P1' 'B participants_remaining() P3' 'B ok(1) P3' \
    'B wait() P2' 'B ok() P1' 'B ok() P2' > barrier.hist
printf '%s\n' 'X exchange(1) P1' 'X exchange(2) P2' 'X exchange(3) P3' \
    'X ok(2) P1' 'X ok(3) P2' 'X ok(1) P3' > exchanger.hist
plumb check --spec setlin:barrier:n=2 --witness barrier.witness barrier.hist
cat barrier.witness
plumb check --spec setlin:barrier:n=2 --verify barrier.witness barrier.hist
sed 's/^order .*/order 0 1 2 0/' barrier.witness > wrong.witness
plumb check --spec setlin:barrier:n=2 --verify wrong.witness barrier.hist
plumb check --spec setlin:barrier:n=3 barrier.hist
plumb check --spec setlin:exchanger exchanger.hist
plumb monitor --spec setlin:exchanger exchanger.hist | head -n 2
plumb generate --spec setlin:exchanger --ops 3
plumb check --spec setlin:queue barrier.hist
plumb check --spec setlin:barrier:n=0 barrier.hist
plumb check --spec setlin:exchanger barrier.hist
