LC_ALL=C plumb check --spec queue queue-not-linearizable.hist
