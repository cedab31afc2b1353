# Specifications in files: in C, and as a sequential object.
command -v cc >/dev/null || exit 77
cat >register.c <<"END"
#include <plumb/object.h>
static _Atomic int64_t x;
static void setup(void) { x = 0; }
static void write(plumb_invocation *i) { x = plumb_arg(i, 0); }
static void write_max(plumb_invocation *i)
{
    int64_t seen = x;
    while (seen < plumb_arg(i, 0) &&
           !__atomic_compare_exchange_n((int64_t *)&x, &seen, plumb_arg(i, 0), 0,
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ;
}
static void read(plumb_invocation *i) { plumb_return(i, x); }
PLUMB_OBJECT(.setup = setup,
             .operations = { { "write", WRITE, { PLUMB_RANGE(1, 9) } },
                             { "read", read } });
END
for write in write_max write; do
    for spec in max_register.c greatest; do
        # `greatest` has no ending: greatest.c is meant
        sed "s/WRITE/write_max/" register.c >greatest.c
        echo "$write, $spec"
        plumb simulate -q -c register.c -s ./$spec -d -p3 -n4 --histories 300 \
            -- -DWRITE=$write -Wno-unused-function 2>&1 | sed "s/#[0-9]*/#N/"
    done
done
# A specification that crashes, exits or hangs is named.
for spec in crashes.c exits.c; do
    plumb simulate -q -c register.c -s $spec -d -p3 --histories 30 -- \
        -DWRITE=write -Wno-unused-function
    echo "exit $?"
done
sed "s/MISCHIEF/OTHER/" mischief.c >counter.c
plumb simulate -q -c counter.c -s ./mischief -d --histories 30
# Set up anew for every step, it must not wait for its third history.
sed "s/if (history == 3)//" mischief.c >always.c
MISCHIEF=inc-segv plumb simulate -q -c counter.c -s ./always -d --histories 30
echo "exit $?"
plumb simulate -c treiber -s stack-coarse -d --histories 200 -q
