# Formats that do not tell events in the order of time are read to the end, and then followed.
plumb generate --spec queue --ops 3000 --threads 4 --values unique queue.plumb
plumb monitor --spec queue queue.plumb
plumb monitor --spec queue --format binary - <queue.plumb
printf '# queue\nenq 1 1 4\nenq 2 2 5\ndeq 2 6 8\ndeq 2 7 9\n' | plumb monitor --format fastlin -
# From a pipe nobody knows which format it is before it begins.
cat queue.plumb | plumb monitor --spec queue
# Two histories are no stream.
cat queue.plumb queue.plumb >two.plumb
plumb monitor --spec queue two.plumb

# What the file says it should be is what it is held to.
plumb generate --spec counter:init=3 --ops 60 --seed 3 counter.plumb
plumb monitor -q counter.plumb
printf '# priorityqueue\ninsert 1 1 2\ninsert 2 3 4\npoll 2 5 6\n' >greatest.fastlin
plumb check -q greatest.fastlin
plumb monitor -q greatest.fastlin
