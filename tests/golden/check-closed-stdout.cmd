# The witness must not become the standard output.
plumb check --spec queue --witness proof queue-linearizable.hist >&-
echo $?
cat proof
