plumb generate --spec queue --ops 3 --histories 2 a.plumb
plumb convert a.plumb a.hist
plumb convert --quiet a.plumb b.hist
cmp a.hist b.hist
