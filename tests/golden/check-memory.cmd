plumb generate --spec queue --ops 20000 big.plumb
plumb check --quiet --memory 64k big.plumb queue-linearizable.hist
echo $?
plumb check --quiet --memory 1G big.plumb
