command -v cc >/dev/null || exit 77
plumb simulate --json -q -c queue-coarse -d -p2 -n3 --histories 5
plumb simulate --json -q -c set-no-lock -d >said
echo "exit $?"
sed "s/#[0-9]*/#N/;s/,\"spec\".*//" said
plumb simulate --json -q -i paper-4.1.hist -s queue:blocking
plumb simulate --json -q -i paper-4.3.hist -s queue | sed 's/,"spec".*//'
