#!/bin/sh
# interrupted.sh PLUMB - who interrupts plumb while it compiles or links finds
# no half-made files in the cache, and the signal has its usual effect.
. "$(dirname "$0")/begin.sh"
command -v python3 >/dev/null || exit 77

echo 'int main(void) { return 0; }' >program.c
# A compiler that takes its time over $SLOW, after it has begun to write.
cat >slow-cc <<'END'
#!/bin/sh
case " $* " in
*" $SLOW "*)
    for word; do
        [ "${before:-}" != -o ] || echo half >"$word"
        before=$word
    done
    echo begun >begun
    exec sleep 60 ;;
esac
exec cc "$@"
END
chmod +x slow-cc
export CC="$work/slow-cc" SLOW

for SLOW in -c -shared; do
    for signal in INT TERM; do
        rm -f begun
        # A shell that runs it in the background would have it ignore INT.
        python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$plumb" explore program.c >out 2>err &
        pid=$!
        tries=0
        until [ -e begun ] || [ $tries -eq 3000 ]; do
            sleep 0.1
            tries=$((tries + 1))
        done
        kill -$signal $pid
        wait $pid
        status=$?
        left=$(ls cache/plumb)
        [ $status -gt 128 ] && [ -z "$left" ] && ! grep -q compiled err &&
            continue
        echo "$SLOW, SIG$signal: status $status, left: $left"
        cat out err
        failed=1
        rm -rf cache/plumb
    done
done
exit $failed
