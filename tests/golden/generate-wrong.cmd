plumb generate
plumb generate --spec nosuch
plumb generate --spec queue --ops -1
plumb generate --spec queue --threads 0
plumb generate --spec queue --pending 101
plumb generate --spec queue --operations enq,push
plumb generate --spec queue --operations take
plumb generate --spec queue a.hist b.hist
plumb generate --spec queue --ops 1 --violation
echo $?
touch there.hist
plumb generate --spec queue there.hist
# Too hard to confirm within a bounded memory: it gives up.
plumb generate --spec counter --ops 300 --threads 60 --values 3 --overlap 95 \
    --violation --seed 5
echo $?
