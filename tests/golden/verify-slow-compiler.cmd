# A compiler that takes for ever is ended with the time, and what it started, too.
cat >slow-cc <<'END'
#!/bin/sh
[ "$1" != --version ] || exit 0
sleep 1000 &
echo $! >started
wait
END
chmod +x slow-cc
CC=$PWD/slow-cc timeout 60 plumb verify -q -t 1 --compile always stack
status=$?
runs() { grep -q '^State:[^Z]*$' "/proc/$(cat started)/status" 2>/dev/null; }
for _ in $(seq 100); do
    runs || exit $status
    sleep 0.1
done
echo "it is still there"
