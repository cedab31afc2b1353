plumb generate --spec map --ops 200 --seed 3 a.plumb
plumb generate --spec map --ops 200 --seed 3 b.plumb
plumb generate --spec map --ops 200 --seed 4 c.plumb
cmp a.plumb b.plumb && ! cmp -s a.plumb c.plumb
