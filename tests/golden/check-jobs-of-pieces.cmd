# A long history is decided in pieces, and its order verified by the threads: they change nothing.
plumb generate --spec queue --ops 150000 --values unique --resident 20 long.plumb
plumb generate --spec set --ops 150000 --values 3 --violation --seed 4 wrong.plumb
for name in long wrong; do plumb check -v -w $name.1 $name.plumb >$name.one; plumb check -j 3 -v -w $name.3 $name.plumb >$name.three; done
cmp long.one long.three && cmp long.1 long.3
cmp wrong.one wrong.three && cmp wrong.1 wrong.3
head -1 long.one && head -1 wrong.one
plumb check --verify long.3 long.plumb
