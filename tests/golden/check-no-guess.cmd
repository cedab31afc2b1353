plumb check ambiguous.hist
