plumb check --algorithm wing-gong violations.hist
