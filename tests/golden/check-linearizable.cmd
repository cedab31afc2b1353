plumb check --spec queue queue-linearizable.hist
