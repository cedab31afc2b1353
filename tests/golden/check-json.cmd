plumb check --spec queue --json queue-linearizable.hist queue-not-linearizable.hist
plumb check --spec queue --json --verbose queue-linearizable.hist
