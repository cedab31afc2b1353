plumb check --spec queeue queue-linearizable.hist
plumb check --spec queue:cap=none queue-linearizable.hist
plumb check --spec queue:size=3 queue-linearizable.hist
