mkdir -p project/.git project/src
cp hasty_queue.c project/src
cat >project/plumb.toml <<'END'
# of every object here
[explore]
threads = 2   # fewer
test = "enq(1) | deq()"
[check]
spec = "queue"
nonsense = 3
END
plumb explore project/src/hasty_queue.c --quiet
echo "exit $?"
plumb explore project/src/hasty_queue.c --test 'deq() | deq()' --init 'enq(1)' --quiet
echo "exit $?"
plumb explore project/src/hasty_queue.c --no-config --quiet
echo "exit $?"
# Not of a file elsewhere; not above the repository.
plumb check --quiet --spec queue queue-linearizable.hist
cp queue-linearizable.hist project/src
plumb check --quiet project/src/queue-linearizable.hist
echo "exit $?"
cp project/plumb.toml .
plumb check --quiet project/src/queue-linearizable.hist
rm -r project/.git
plumb check --quiet project/src/queue-linearizable.hist --spec queue
for line in 'threads = ' 'threads = 2 3' 'threads = "many"' 'thread = 2' '[explore' 'no equals' 'quiet = 1' 'help = true' 'test = "a' 'args = 1'; do
    printf '[explore]\n%s\n' "$line" >plumb.toml
    plumb explore hasty_queue.c
    echo "exit $?"
done
# What would be run can be named on the command line only.
for spec in ./max_register.c max_register.c max_register queue-coarse queue:cap=4; do
    printf '[check]\nspec = "%s"\n' "$spec" >plumb.toml
    plumb check --quiet queue-linearizable.hist
    echo "exit $?"
done
for line in 'object = "hasty_queue.c"' 'record = "queue-linearizable.hist"'; do
    printf '[simulate]\n%s\n' "$line" >plumb.toml
    plumb simulate
    echo "exit $?"
done
# An option that no command would take, as its command is misspelt or missing.
printf '[exlpore]\nthreads = 2\n' >plumb.toml
plumb explore hasty_queue.c
echo "exit $?"
printf 'threads = 2\n' >plumb.toml
plumb explore hasty_queue.c
echo "exit $?"
# The tables that may be there are the commands that take options from it.
for command in $(plumb help | sed -n 's/^  \([a-z+]*\) .*/\1/p'); do
    printf '[%s]\n' "$command" >plumb.toml
    plumb check --quiet --spec queue queue-linearizable.hist >out 2>&1
    accepted=$?
    plumb "$command" --help >out 2>&1
    grep -q -e --no-config out
    echo "$command: accepted $accepted, takes options $?"
done
printf '[explore]\ngolden = "hasty_queue.c"\n' >plumb.toml
plumb explore treiber
