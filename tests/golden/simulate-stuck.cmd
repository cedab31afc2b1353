# Calls that do not return are pending, and that is no violation; a setup or a
# teardown that does not return is an error, after 5 seconds.
command -v cc >/dev/null || exit 77
MISCHIEF=none plumb simulate -q -cmischief.c -d -p1 --histories 1 # compile it
for where in load setup teardown; do
    { MISCHIEF=$where-hang plumb simulate -q -cmischief.c -d -p2 --histories 5
      echo "exit $?"; } >$where 2>&1 &
done
MISCHIEF=inc-hang plumb simulate -cmischief.c -d -p1 -n4 --histories 5 \
    -o out.hist 2>said
echo "exit $?"
grep stuck said
# Its third history ends with an open call, and the others are whole.
plumb check -q -s counter out.hist
sed -n "/number 3 /,/^$/p" out.hist
# An object whose own deadlock is known: chance says how often it occurs, but
# it is no violation.
plumb simulate -q -c counter-kept -d -p3 -n5 --histories 30 >kept
case $? in
0 | 3) echo "counter-kept: no violation" ;;
*) cat kept ;;
esac
wait
cat load setup teardown
