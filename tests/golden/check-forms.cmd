plumb check --spec queue queue-not-linearizable.hist queue-linearizable.hist malformed.hist --quiet --junit - --annotations github
plumb check --spec queue queue-not-linearizable.hist --json --sarif out.sarif >/dev/null
cat out.sarif
plumb check --spec queue queue-linearizable.hist --sarif out.sarif
echo "exit $?"
plumb verify philosophers.csp --quiet --assert 1 --junit out.xml
cat out.xml
plumb verify wrong-name.csp --annotations github
