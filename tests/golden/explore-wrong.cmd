# What is wrong with a command line is said in one line.
command -v cc >/dev/null || exit 77
wrong()
{
    plumb explore "$@"
    echo "exit $?"
}
wrong
wrong a b
wrong tiny_queue.c --strategy best
wrong tiny_queue.c --preemptions few
wrong tiny_queue.c --threads 17
wrong tiny_queue.c --threads 16 --ops 5
wrong tiny_queue.c --opt 0,,2
wrong tiny_queue.c --opt 7
wrong tiny_queue.c --reuse sometimes
wrong tiny_queue.c --races win
wrong tiny_queue.c --executions 0
wrong tiny_queue.c --timeout never
wrong tiny_queue.c --stategy dfs
wrong tiny_queue.c -q -v
wrong tiny_queue.c --test 'deq()' --samples 3
wrong no_such.c
wrong no-such-object
PLUMB_HOST=/nowhere/plumb-host wrong tiny_queue.c
PLUMB_HOST=$(command -v fake-host)
export PLUMB_HOST
wrong tiny_queue.c --test 'enq(1) deq() | pop()'
wrong tiny_queue.c --test 'enq() | deq()'
wrong tiny_queue.c --test 'enq(1 | deq()'
wrong tiny_queue.c --test '|'
wrong tiny_queue.c --test ''
wrong tiny_queue.c --test 'enq(1) || deq()'
wrong tiny_queue.c --test 'enq(1) | '
wrong tiny_queue.c --test ' | deq()'
wrong tiny_queue.c --init 'enq(1) | enq(2)'
wrong tiny_queue.c --test 'deq()' --final 'deq(1)'
wrong tiny_queue.c --spec que
wrong tiny_queue.c --spec nowhere.c
FAKE=error wrong tiny_queue.c
echo 'int x;' >nothing.c
wrong nothing.c
echo 'int main(void) { return 0; }' >program.c
wrong program.c --test 'deq()'
