plumb check --spec queue violations.hist queue-linearizable.hist
