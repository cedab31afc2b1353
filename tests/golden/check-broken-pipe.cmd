plumb generate --spec queue --ops 100000 | head -n 1
plumb check -q violations.hist violations.hist violations.hist | head -n 1
