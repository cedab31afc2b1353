# Random bytes over everything that an object's process shares with ours: the
# log is refused, whenever it happens.
command -v cc >/dev/null || exit 77
for where in load setup inc teardown; do
    for processes in 1 3; do
        MISCHIEF=$where-scribble plumb simulate -q -cmischief.c -d \
            -p$processes -n4 --histories 5
        echo "exit $?"
    done
done
