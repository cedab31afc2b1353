# What an object does to its own process is a result, or an error; never ours.
command -v cc >/dev/null || exit 77
export ASAN_OPTIONS="$ASAN_OPTIONS:handle_segv=0" TSAN_OPTIONS="handle_segv=0"
for mischief in inc-segv inc-abort inc-exit0 inc-exit3 setup-segv setup-exit2 \
    teardown-abort load-segv load-abort load-exit0 load-exit2 load-exit3; do
    echo "$mischief"
    MISCHIEF=$mischief plumb simulate -cmischief.c -d -p1 -n4 --histories 5 \
        2>said
    echo "exit $?"
    grep -v -e "^Just a" -e "^Starting" -e "^note" said
done
MISCHIEF=inc-abort plumb simulate -cmischief.c -d -p1 --histories 5 --json -q
# What was right until then is written.
MISCHIEF=inc-abort plumb simulate -cmischief.c -d -p1 -n4 --histories 5 -q \
    -o out.hist
grep -c "simulation number" out.hist
plumb simulate -i out.hist -s counter -q
# A core dump takes its time: it is a crash all the same, and not stuck.
(ulimit -c unlimited 2>/dev/null
 MISCHIEF=inc-segv plumb simulate -cmischief.c -d -p8 -n1000 --histories 5 -q)
