plumb check --spec queue malformed.hist
