command -v cc >/dev/null || exit 77
cat >functions.c <<'C'
#include <stdlib.h>
int twice(int x) { return 2 * x; }
int leave(int x) { exit(x); }
int count(int x) { static int n; return x + n++; }
int break_it(int x) { return *(volatile int *)(long)x; }
C
for call in "twice, 3" "leave, 0" "break_it, 0" "nothing, 1" "count, 5"; do
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

echo "--- arrays"
cat >functions.c <<'C'
int sum(const int *a, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}
C
for call in "a, 3" "a, x + 1" "x, 3"; do
    cat >import.csp <<M
#import "functions.c";
var x = 0;
var a = [1, 2, 3];
P() = a{x = call(sum, a, 3);} -> b{x = call(sum, $call);} -> P();
#define six (x == 6);
#assert P() reaches six;
M
    plumb verify -q import.csp
    echo "exit $?"
done

echo "--- a function that does not return"
cat >functions.c <<'C'
#include <unistd.h>
int stay(int x)
{
    while (x)
        pause();
    return x;
}
C
cat >import.csp <<'M'
#import "functions.c";
var x = 0;
P() = a{x = call(stay, x);} -> b{x = 1;} -> P();
#define two (x == 2);
#assert P() reaches two;
M
plumb verify import.csp --timeout 1
echo "exit $?"
