# Objects that say or do what cannot be told, and specifications that do not
# fit.
command -v cc >/dev/null || exit 77
for fault in RESULTS LONG_TEXT LONG_TERM NO_ARGUMENT LONG_INIT NO_SPEC \
    OTHER_OPERATION OTHERS_ONLY FINAL_UNKNOWN BLOCKS; do
    plumb simulate -q -cvariety.c -d -p1 -n4 --histories 30 -- -D$fault
    echo "$fault: exit $?"
done
plumb simulate -q -cvariety.c -s set -d -p1 --histories 3
plumb simulate -q -cvariety.c -s no-such-spec -d -p1 --histories 3
plumb simulate -q -cvariety.c -s "" -d -p1 --histories 3
plumb simulate -q -cno-such-object -d --histories 3
echo "int x;" >none.c
plumb simulate -q -cnone.c -d --histories 3
plumb simulate -q -c "" -s queue -d --histories 3
