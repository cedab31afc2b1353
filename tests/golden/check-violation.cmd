plumb check --spec queue queue-not-linearizable.hist
