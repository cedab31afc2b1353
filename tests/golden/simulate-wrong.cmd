# Options that make no sense.
try()
{
    echo "simulate $*"
    plumb simulate "$@"
    echo "exit $?"
}
exec 2>&1
try -p 0 -c queue-coarse -d
try -p 65 -c queue-coarse -d
try -p -1 -c queue-coarse -d
try -p x -c queue-coarse -d
try -n 0 -c queue-coarse -d
try -n 100001 -c queue-coarse -d
try --seconds x -c queue-coarse -d
try --seconds 0 -c queue-coarse -d
try --seconds -x -c queue-coarse -d
try --seconds - -c queue-coarse -d
try --seconds "" -c queue-coarse -d
try --histories 0 -c queue-coarse -d
try --histories -0 -c queue-coarse -d
try --histories 1.5 -c queue-coarse -d
try --seed x -c queue-coarse -d
try --noise -1 -c queue-coarse -d
try --noise 1001 -c queue-coarse -d
try --memory lots -c queue-coarse -d
try -c queue-coarse more
try -c queue-coarse -i queue-linearizable.hist -d
try -d
try -q -v -c queue-coarse
try --color sometimes -c queue-coarse
try --frobnicate
