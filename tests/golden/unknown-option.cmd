plumb check --specc queue x.hist
plumb check --frobnicate x.hist
plumb check --spec
