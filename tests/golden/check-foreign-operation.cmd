plumb check --spec stack queue-linearizable.hist
