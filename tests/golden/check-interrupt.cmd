# Ctrl-C while it waits for input: what was decided is told, exit 3.
mkfifo never
exec 3<>never
plumb check --spec queue --quiet queue-linearizable.hist never - &
sleep 0.5
kill -INT $!
wait $!
