command -v cc >/dev/null || exit 77
try()
{
    plumb simulate "$@"
    echo "$?"
}
try --compare
try --compare -c queue-coarse
try --compare queue-coarse treiber
try --compare queue-coarse nosuch-object
try --compare queue-coarse -s queue
try --compare queue-coarse -o out
try --compare queue-coarse --noise 1
try --compare queue-coarse --seconds -1
try --compare queue-coarse --processes 65
try --compare queue-coarse --plot out.png
try --compare queue-coarse --plot .svg
try --compare 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17
try -c queue-coarse --plot out.svg
# Never overwritten, and nothing is measured in vain.
echo kept >there.svg
try --compare queue-coarse --plot there.svg
cat there.svg
# The same operations, but not the same type.
printf '%s\n' '#include <plumb/object.h>' \
    'static void run(plumb_invocation *i) { (void)i; }' \
    'PLUMB_OBJECT(.spec = SPEC, .operations = { { "deq", run },' \
    '{ "enq", run, { PLUMB_FRESH } } });' >any.c
plumb simulate --compare queue-coarse any.c -- '-DSPEC="stack"'
echo $?
ls *.svg out* 2>/dev/null
