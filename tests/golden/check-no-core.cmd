plumb check --spec queue --no-core queue-not-linearizable.hist
