# A model that goes wrong is told how it comes to that, whoever finds it.
cat >trouble.csp <<'M'
var x = 0;
var a[3];
#define out (a[x] == 9);
Up() = write{a[x] = 1} -> up{x++} -> Up();
Count() = go{x++} -> if (x < 3) { Count() } else { Skip };
Check() = Count(); assert(x == 4); done -> Skip;
Any() = [] e:{0..1} @ (pick.e -> Any());
All() = write -> All() [] up -> All();
#assert Check() deadlockfree;
#assert Up() refines All();
#assert Any() refines Up();
#assert Up() |= []<> up;
#assert Up() |= [] (out && );
M
plumb verify trouble.csp 2>&1
echo "exit $?"
for engine in product antichain bisimilar; do
    echo "--- $engine"
    plumb verify -a 2 -e $engine trouble.csp 2>&1
done
echo "--- others"
without-times plumb verify -v -a 1 trouble.csp 2>&1
plumb verify -q -a 1 trouble.csp 2>&1
without-times plumb verify --json -a 1 trouble.csp
printf 'var a[1]; P() = x{a[1-2] = 1} -> P();\n#assert P() deadlockfree;\n' >first.csp
plumb verify first.csp
echo "--- on the other side" >&2
cat >other.csp <<'M'
var x = 0;
var a[3];
P() = up -> P();
S() = up{a[x] = 1; x++} -> S();
A(i) = up.i{a[x] = 1; x++} -> A(i);
B(i) = up.i -> B(i);
As() = ||| i:{0..2} @ A(i);
Bs() = ||| i:{0..2} @ B(i);
#assert P() refines S();
#assert As() refines Bs();
#assert Bs() refines As();
M
for engine in product antichain bisimilar; do
    plumb verify -a 1 -e $engine other.csp
done
plumb verify --symmetry on other.csp
without-times plumb verify -a 1 --json other.csp
echo "exit $?"
# Of a long way the beginning and the end are told.
cat >grow.csp <<'M'
P() = a -> (P(); b -> Skip);
Q() = (a -> (Q(); b -> Skip)) \ {a};
#assert P() deadlockfree;
#assert Q() deadlockfree;
M
plumb verify grow.csp 2>&1
echo "exit $?"
