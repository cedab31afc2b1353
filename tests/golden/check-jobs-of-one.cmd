# The parts of a single history are shared out: nor does that change anything.
plumb generate --spec map --ops 400 --values 9 --threads 5 --violation one.plumb
plumb check one.plumb >one
plumb check -j 3 one.plumb >three
cmp one three
head -1 one
