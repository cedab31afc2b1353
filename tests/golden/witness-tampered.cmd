plumb check --quiet --spec queue --witness proof queue-linearizable.hist
sed "s/^order .*/order 0 1/" proof >short
plumb check --verify short queue-linearizable.hist
echo $?
sed "s/^order .*/order 0 1 2 3 99/" proof >outside
plumb check --verify outside queue-linearizable.hist
echo $?
sed "s/^order .*/order 0 1 3 2 4/" proof >early
plumb check --verify early queue-linearizable.hist
echo $?
plumb check --verify proof queue-not-linearizable.hist
echo $?
plumb check --verify queue-linearizable.hist queue-linearizable.hist
