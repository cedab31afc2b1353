echo precious >proof
plumb check --spec queue --witness proof queue-linearizable.hist
echo $?
cat proof
plumb check --spec queue --witness other missing.hist
echo $?
[ -e other ] || echo "nothing is left"
