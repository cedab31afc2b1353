# Nothing is stored twice, and no more than 5 values are in the queue at a time.
plumb generate --spec queue --operations enq,deq --values unique --resident 5 \
    --ops 3000 --threads 8 --overlap 100 > a.hist
sed -n 's/.* enq(\(.*\)) .*/\1/p' a.hist | sort | uniq -d
plumb generate --spec priority-queue --operations insert,delmin,min \
    --values unique --resident 5 --ops 3000 --overlap 0 > b.hist
sed -n 's/.* insert(\(.*\)) .*/\1/p' b.hist | sort | uniq -d
awk '/insert/ { n++ } /delmin/ { d = 1 } /min\(/ && !/delmin/ { d = 0 }
    /ok\([0-9]/ { n -= d } n > most { most = n } END { print most }' b.hist
# Not in the order of values.
plumb generate --spec priority-queue --operations insert --values unique --ops 6 \
    --overlap 0 | grep insert | cut -d " " -f 2
for spec in stack set multiset map register priority-queue deque semaphore; do
    plumb generate --spec $spec --values unique --resident 3 --ops 30 \
        --pending 5 --histories 20 | plumb check --quiet --spec $spec - |
        grep -c ": linearizable"
done 2>/dev/null
plumb generate --spec queue --resident 3
plumb generate --spec queue --values uniq
plumb generate --spec queue --operations enq --values unique --resident 3
# In a long history the mistake is near the end.
plumb generate --spec queue --operations enq,deq --values unique --ops 20000 \
    --resident 5 --overlap 0 > right.hist
plumb generate --spec queue --operations enq,deq --values unique --ops 20000 \
    --resident 5 --overlap 0 --violation > wrong.hist
head -n 19000 right.hist > right.head
head -n 19000 wrong.hist > wrong.head
cmp right.head wrong.head && ! cmp -s right.hist wrong.hist && echo near the end
