plumb check --quiet --witness proof violations.hist
echo $?
cat proof
plumb check --verify proof violations.hist
echo $?
plumb check --verify proof --json violations.hist
# Who writes a witness names the specification: the result says which.
plumb check --quiet --spec semiqueue --witness half queue-not-linearizable.hist
plumb check --verify half queue-not-linearizable.hist
plumb check --spec queue --verify half queue-not-linearizable.hist
