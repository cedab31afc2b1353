# The number of threads changes nothing.
plumb generate --spec stack --histories 40 --ops 15 --values 2 some.hist
plumb generate --spec stack --histories 40 --ops 15 --values 2 --violation --seed 5 more.hist
plumb check --spec stack some.hist more.hist violations.hist >one 2>one.err
plumb check --spec stack -j 4 some.hist more.hist violations.hist >four 2>four.err
cmp one four && cmp one.err four.err
grep -c "linearizable$" one
cat one.err
