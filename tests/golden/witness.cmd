plumb check --quiet --witness proof violations.hist
echo $?
cat proof
plumb check --verify proof violations.hist
echo $?
plumb check --verify proof --json violations.hist
