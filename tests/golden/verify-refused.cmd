# What people bring from elsewhere is read, or refused by its name.
mkdir part
cat >part/one.csp <<'M'
#include "both.csp";
#include "part\two.csp";
var x = 0;
M
cat >part/two.csp <<'M'
#include "part/one.csp";
#define start 3;
M
cat >both.csp <<'M'
#include "part\one.csp";
#define half if (x % 2 == 0) { x / 2 } else { 3 * x + 1 };
#define sign(a) if (a < 0) { 0 - 1 } else if (a > 0) { 1 } else { 0 };
#define next if (x == 0) { x = start } else { x = half };
Q() = step{next} -> Q();
#define one (x == 1 && call(sign, x) == 1 && call(sign, 0 - x) == -1);
#assert Q() reaches one;
M
plumb verify both.csp

try()
{
    cat >refused.csp
    plumb verify refused.csp
    echo "exit $?"
}
try <<'M'
#include "C:\models\queue.csp";
M
try <<'M'
#include "refused.csp";
M
try <<'M'
#define f if (x > 0) { 1 };
var x = 0;
P() = [f == 1] a -> P();
#assert P() deadlockfree;
M
try <<'M'
#import "rotate.so";
var a[3];
P() = e{a = call(rotate, a)} -> P();
#assert P() deadlockfree;
M
try <<'M'
channel c 2;
var a = [1, 2];
P() = c!1 -> c!a -> c?x -> P();
#assert P() deadlockfree;
M
try <<'M'
-- a buffer
channel left, right : {0..3}
COPY = left?x -> right!x -> COPY
assert COPY :[deadlock free [F]]
assert COPY [T= COPY
M
try <<'M'
/* a mutex: proctype is no word here */
mtype = { free, taken };
active [2] proctype P() { do :: lock ? free -> lock ! free od }
M
try <<'M'
P() = a[0] -> P(); // a slip, and :: in a comment
#assert P() deadlockfree;
M
try <<'M'
P(i) = get_inv.i -> get_res.i.0 -> P(i);
S() = ||| i:{0..1} @ P(i);

#assert S() linearizable "contuer" (clients 2, values {0..1});
#assert S() linearizable "counter:top=4" (clients 2, values {0..1});
M
