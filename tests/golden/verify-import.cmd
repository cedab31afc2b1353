command -v cc >/dev/null || exit 77
cat >functions.c <<'C'
#include <stdlib.h>
int twice(int x) { return 2 * x; }
int leave(int x) { exit(x); }
int break_it(int x) { return *(volatile int *)(long)x; }
C
for call in "twice, 3" "leave, 0" "break_it, 0" "nothing, 1"; do
    cat >import.csp <<M
#import "functions.c";
var x = 0;
P() = a{x = call($call);} -> P();
#define six (x == 6);
#assert P() reaches six;
M
    plumb verify import.csp
    echo "exit $?"
done
