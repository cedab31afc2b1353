plumb check queue-linearizable.hist violations.hist register-stale-read.hist --no-core
