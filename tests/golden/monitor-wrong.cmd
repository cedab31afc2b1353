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
