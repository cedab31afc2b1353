plumb check --quiet violations.hist
