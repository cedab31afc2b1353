# The histories printed in section 4 of Wing & Gong's report, as printed but
# for the margin, which is no part of them.
for command in "plumb check" "plumb simulate -q -i"; do
    $command paper-4.1.hist -s queue:blocking
    echo "exit $?"
    $command paper-4.2.hist -s set
    echo "exit $?"
    $command paper-4.3.hist -s queue
    echo "exit $?"
done
# The queues of sections 4.1 and 4.3 wait when they are empty.
plumb check -q -s queue paper-4.1.hist
plumb check -q -s queue:blocking paper-4.3.hist
