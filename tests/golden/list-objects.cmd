# A library of our own, in a tree of its own; then the one that is built in.
mkdir -p tree/bin tree/share/plumb/objects/a tree/share/plumb/objects/common
cp "$(command -v plumb)" tree/bin
library=tree/share/plumb/objects
cat >$library/a/index <<END
# two families in one file
object stack-wrong
source stack.c
flags -DWRONG
family stack
spec stack
expect violation
preemptions 2
init push(1)
final pop()
scenario push(2) | pop() pop()
about a stack that forgets, and whose description is so long that it does not fit in a line of eighty columns

object queue
source q.c
family queue
spec queue
expect linearizable
scenario enq(1) | deq()
about a queue

object queue-weak
source q.c
family queue
spec queue
expect weak
scenario enq(1) | deq()
about a queue without a fence
END
mkdir $library/z
cat >$library/z/index <<END
object stack-stuck
source s.c
family stack
spec stack
expect stuck
scenario pop()
about a stack that waits
END
tree/bin/plumb list objects
echo "== family"
tree/bin/plumb list objects --family STACK
tree/bin/plumb list objects -f deque
echo "== names"
tree/bin/plumb list objects Stack_Wrong queue | sed "s,$PWD/,,"
tree/bin/plumb list objects stack-wrung queue-weak | sed "s,$PWD/,,"
echo "== wrong"
tree/bin/plumb list objects queue --family queue
tree/bin/plumb list specs --family queue
tree/bin/plumb list specs queue
echo "color red" >>$library/z/index
tree/bin/plumb list objects 2>&1 | sed "s,$PWD/,,"
rm -r $library && mkdir $library
tree/bin/plumb list objects
echo "== built in"
plumb list objects | awk 'length > 80 { print "too wide: " $0 }'
plumb list objects | grep -c "" >count && [ "$(cat count)" -gt 8 ] && echo many
