plumb check --spec queue --verbose queue-linearizable.hist
