plumb convert violations.hist
plumb convert violations.hist out.dat
plumb convert violations.hist out.dat --to edn
plumb convert violations.hist out.jsonl --from edn
plumb convert --from csv a b
