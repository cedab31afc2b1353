plumb check --spec queue --json malformed.hist
