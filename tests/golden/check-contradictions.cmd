plumb check
plumb check --quiet --verbose x.hist
plumb check --witness a --verify b x.hist
plumb check --witness a x.hist y.hist
plumb check --verify a x.hist y.hist
