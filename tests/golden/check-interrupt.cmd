# Ctrl-C while it waits for input: what was decided is told, exit 3.
mkfifo never
exec 3<>never
plumb check --spec queue --quiet queue-linearizable.hist never - 3>&- &
wait-for open never $!
kill -INT $!
wait $!
