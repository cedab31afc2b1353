# A file that can grow no more: that is said, and no half of it is left.
command -v cc >/dev/null || exit 77
plumb simulate -q -c queue-coarse -d --histories 1 # compile it
trap "" XFSZ
ulimit -f 8
plumb simulate -q -c queue-coarse -d --histories 100000 -o out.hist
echo "exit $?"
[ -e out.hist ] || echo gone
plumb simulate -q -c queue-coarse -d --histories 5 >/dev/full
