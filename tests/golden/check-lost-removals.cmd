# Removals that never returned may have taken anything: a few thousand of them are decided by monitors.
plumb generate --spec priority-queue --ops 40000 --threads 8 --values unique --pending 20 pqueue.plumb
plumb check -v --algorithm monitor pqueue.plumb | sed 2q
plumb generate --spec queue --ops 40000 --threads 8 --values unique --pending 20 queue.plumb
plumb check -v --algorithm monitor queue.plumb | sed 2q
plumb generate --spec stack --ops 4000 --threads 8 --values unique --pending 5 stack.plumb
plumb check -v --algorithm monitor stack.plumb | sed 2q
# What is declined is searched, that object alone, and it says so.
cat >objects.hist <<END
t push(1) A
t ok() A
t pop() B
t ok(1) B
s push(1) A
s ok() A
s push(1) A
s ok() A
s pop() B
s ok(1) B
END
plumb check -v --spec stack objects.hist
