# A step that does not return ends with the time limit, or with Ctrl-C.
command -v cc >/dev/null || exit 77
plumb check --timeout 0.2 --spec hangs.c max-register.hist
echo "status $?"
plumb check --spec hangs-visibly.c max-register.hist &
until [ -e in-step ]; do
    sleep 0.02
done
kill -INT $!
wait $!
