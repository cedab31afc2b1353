# Streams that end well, badly, and not at all.
plumb generate --spec queue --ops 3000 --threads 4 --values unique 2>/dev/null >good.hist
plumb monitor --spec queue good.hist
plumb monitor --spec queue -v - <good.hist
plumb monitor -q good.hist 2>/dev/null
echo "status $?"
(cat good.hist; echo 'queue deq() Z'; echo 'queue ok(nonsense) Z'; sleep 1) |
    plumb monitor --spec queue
echo "status $?"
plumb monitor --spec queue --json good.hist
# of a type that is decided in batches
printf 'c inc() A\nc ok() A\nc get() A\nc ok(7) A\n' | plumb monitor --spec counter
echo "status $?"
