plumb check --spec queue missing.hist . queue-linearizable.hist
