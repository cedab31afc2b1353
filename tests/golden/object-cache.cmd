# Compiled once; again if a header, a flag, an object or the compiler changes.
command -v cc >/dev/null || exit 77
cat >compiler <<'END'
#!/bin/sh
for word in "$@"; do
    case $word in -c) echo "compiles" >&2 ;; -shared) echo "links" >&2 ;; esac
done
exec cc "$@"
END
chmod +x compiler
export CC=./compiler
run()
{
    echo "$1:"
    shift
    load-target "$@" 2>&1 >/dev/null
}
mkdir inc && mv slow_queue.h inc
set -- slow_queue.c -- -Iinc -DROOM=9 slow_queue_parts.c
run first "$@"
run again "$@"
run hooked --hooked "$@"
run again --hooked "$@"
echo "extern int more;" >>inc/slow_queue.h
run "another header" "$@"
run "another flag" "$@" -O2
CFLAGS=-O2 run "flags in the environment" "$@"
echo "# same" >>compiler
run "the same compiler" "$@"
cc -fPIC -c -Iinc -DROOM=9 slow_queue_parts.c
set -- slow_queue.c -- -Iinc slow_queue_parts.o
run "with an object" "$@"
run again "$@"
cc -fPIC -c -Iinc -DROOM=8 slow_queue_parts.c
run "another object" "$@"
ar rc libparts.a slow_queue_parts.o
set -- slow_queue.c -- -Iinc -L. -lparts
run "a library" "$@"
run "whether it changed cannot be seen" "$@"
