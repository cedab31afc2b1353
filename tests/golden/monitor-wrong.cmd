plumb monitor one two
plumb monitor --spec
plumb monitor --spec tree </dev/null
plumb monitor --spec mine.c </dev/null
plumb monitor </dev/null
plumb monitor nowhere.hist
plumb monitor .
plumb monitor -q -v </dev/null
plumb monitor --interval never </dev/null
plumb monitor --memory lots </dev/null
printf 'Q enq(1) A\nQ enq(2) A\n' | plumb monitor --spec queue
printf 'Q frob(1) A\n' | plumb monitor --spec queue
printf 'Q enq(1 A\n' | plumb monitor --spec queue
printf 'enq 1 1 2\n' | plumb monitor --spec queue --format fastlin
# whole operations are no events; two histories are no stream
echo '{"process":"P1","f":"enq","args":[1],"call":-3,"return":5}' | plumb monitor --spec queue
printf 'q enq(1) A\nq ok() A\n\nq deq() A\nq empty() A\n' | plumb monitor --spec queue
# nobody writes to the pipe
mkfifo nobody
plumb monitor --spec queue --timeout 0.3 nobody
