for spec in queue semiqueue stuttering-queue:j=2 stack deque priority-queue \
    priority-queue:max set multiset bag map register cas-register:init=3 counter \
    semaphore:n=2 mutex queue:cap=2 queue:k=1 stack:cap=2,blocking; do
    plumb generate --spec $spec --ops 12 --values 2 --pending 5 --histories 5 |
        plumb check --quiet --spec $spec - | grep -c ": linearizable"
    plumb generate --spec $spec --ops 12 --values 2 --violation --histories 5 |
        plumb check --quiet --spec $spec - | grep -c ": not linearizable"
done 2>/dev/null | sort | uniq -c | sed "s/^ *//"
