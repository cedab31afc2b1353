echo precious >out.hist
plumb convert violations.hist out.hist
echo $?
cat out.hist
plumb convert malformed.hist out.jsonl
echo $?
[ -e out.jsonl ] || echo "nothing is left"
plumb convert missing.hist out.jsonl
plumb convert violations.hist no/such/directory.jsonl
