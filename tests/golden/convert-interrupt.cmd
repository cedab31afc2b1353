# Ctrl-C: nothing of the file is left, exit 3.
mkfifo never
ln never held # open under another name, for who looks who has it open
exec 3<>held
plumb convert never out.jsonl &
wait-for open never $!
kill -INT $!
wait $!
echo $?
# The same while it works, or before, or after that: whole or gone.
plumb generate --spec queue --ops 300000 long.hist
plumb convert long.hist out.jsonl 2>/dev/null &
sleep 0.05
kill -INT $!
wait $! && mv out.jsonl finished
test ! -e out.jsonl
