plumb verify --dot light.dot light.csp
cat light.dot
plumb verify --dot stack.dot -D SIZE=40 stack
plumb verify --dot light.dot light.csp

# What has no content is not overwritten: a pipe, a device.
mkfifo pipe
cat pipe >drawn &
plumb verify --dot pipe light.csp
wait
plumb verify --dot /dev/stdout light.csp | cmp - drawn && cmp light.dot drawn
test -p pipe || echo the pipe is gone
plumb verify --dot /dev/full light.csp
cat >waits.csp <<'M'
channel c 1;
var n; var never = 4; var a[2];
P() = c!7{a[n] = 5} -> c?x{n = x - 7; a[0] = 0} -> P();
#assert P() deadlockfree;
M
plumb verify --dot - waits.csp
