# What -o writes, -i reads, and judges alike; it is left alone if it exists.
command -v cc >/dev/null || exit 77
plumb simulate -q -c queue-coarse -d --histories 50 -p3 -n5 -o good.hist
plumb simulate -q -i good.hist -s queue -o again.hist >verdicts
echo "exit $?"
grep -c ": linearizable" verdicts
cmp good.hist again.hist && echo same

plumb simulate -q -c set-no-lock -d -o bad.hist | sed "s/#[0-9]*/#N/"
grep -c "not linearizable!" bad.hist
tail -n 2 bad.hist
plumb simulate -q -i bad.hist -s set -o again-bad.hist >verdicts
echo "exit $?"
tail -n 1 verdicts | sed "s/#[0-9]*/#N/"
grep -c ": not linearizable" verdicts
plumb check -q -s set bad.hist | grep -c ": not linearizable"

# For ever: only the first history that is not linearizable is written.
plumb simulate -q -c set-no-lock -d --seconds -1 -o ever.hist |
    sed "s/#[0-9]*/#N/"
grep -c "This is simulation number" ever.hist
plumb simulate -q -i ever.hist -s set

echo kept >kept.hist
plumb simulate -q -c queue-coarse -d --histories 5 -o kept.hist
echo "exit $?"
plumb simulate -q -i good.hist -s queue -o kept.hist
echo "exit $?"
cat kept.hist
plumb simulate -q -c queue-coarse -d --histories 5 -o no/such/directory.hist
echo "exit $?"
: >empty.hist
plumb simulate -q -i empty.hist -s queue
echo "exit $?"
plumb simulate -q -i missing.hist -s queue
echo "exit $?"
plumb simulate -q -i malformed.hist -s queue
