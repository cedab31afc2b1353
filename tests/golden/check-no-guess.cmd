plumb check ambiguous.hist
printf "m insert(1) P1\nm ok() P1\nm count(1) P1\nm ok(1) P1\n" | plumb check -
