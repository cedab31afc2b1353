# What a compiler refuses it says itself; then one line of ours.
command -v cc >/dev/null || exit 77
said()
{
    load-target "$@" 2>said
    echo "exit $?"
    tail -n 1 said
}
echo "int f(void) { return x; }" >broken.c
said broken.c
grep -q "^broken.c:1:.*error" said && echo seen
echo "#include <no/such.h>" >include.c
said include.c
grep -q "include.c:1.*no/such.h" said && echo seen
echo "#error no" >preprocess.c
said preprocess.c
said slow_queue.c
said slow_queue.c -- missing_parts.c
said slow_queue.c -- missing_parts.o
said slow_queue.c -- -I
said slow_queue.c -- -lno_such_library
said slow_queue.c -- -Werror -fno-such-flag
CC=/nonexistent said slow_queue.c
CXX=/nonexistent said number.cpp
CFLAGS=-Dint= said slow_queue.c
echo "no object" >text.o
said text.o
echo "no object" >text.so
said text.so
said text.so -- slow_queue.c
touch empty.so empty.o
said empty.so
said empty.o
ls "$XDG_CACHE_HOME/plumb" | grep -v "so$" || true # nothing half-made stays
