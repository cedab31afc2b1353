plumb help view
plumb view --html a.html
plumb view queue-not-linearizable.hist
plumb view queue-not-linearizable.hist --html a.html
grep -c 'class="op core"' a.html
plumb view queue-not-linearizable.hist --html a.html
echo "exit $?"
# Results, and what the report of such lines says is how they were made.
plumb check --json --spec queue queue-not-linearizable.hist malformed.hist >results.json
plumb view results.json --html b.html --svg b.svg
echo "exit $?"
grep -o '<code[^<]*</code>' b.html
grep -c 'class="op core"' b.svg
plumb view - --html c.html <results.json
cmp b.html c.html
(cat results.json; echo '{"format":2,"command":"check","status":"pass"'; echo '{"format":1}') >damaged.json
plumb view damaged.json --html d.html
echo "exit $?"
test -e d.html || echo "no report"
# Only files in the working directory are quoted for somebody else.
mkdir secret work
printf 'one\ntwo\n' >secret/file
cd work
printf 'three\nfour\n' >file
for file in ../secret/file file; do
    echo '{"format":2,"command":"explore","subject":"x","verdict":"data race","status":"violation","interleaving":[{"kind":"event","thread":"P1","text":"write","place":"file:1","file":"'"$(realpath $file)"'","line":1}]}' >race.json
    plumb view race.json --html - | grep -o '<td class="code">.*'
done
cd ..
plumb explore transfer.c --quiet
plumb view .plumb/transfer-*.schedule --html e.html
grep -c 'class="step' e.html
