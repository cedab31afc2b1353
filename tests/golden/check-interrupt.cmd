# Ctrl-C while it waits for input: what was decided is told, exit 3.
mkfifo never
ln never held # open under another name, for who looks who has it open
exec 3<>held
plumb check --spec queue --quiet queue-linearizable.hist never - &
wait-for open never $!
kill -INT $!
wait $!
