# The specification goes wrong where the implementation never comes: an engine
# that looks at all states tells so, the automatic one does not.
cat >far.csp <<'M'
#define N 40;
var x = 0; var y = 0; var z = 0; var a[3];
P() = a{x = (x + 1) % N} -> P() [] b{y = (y + 1) % N} -> P()
   [] c{z = (z + 1) % N} -> P();
S() = a{x = (x + 1) % N} -> S() [] b{y = (y + 1) % N} -> S()
   [] c{z = (z + 1) % N} -> S() [] d -> e{a[3 + x] = 1} -> S();
Growing(n) = a -> Growing(0) [] d -> Growing(n + 1);
A() = a -> A();
#assert P() refines S();
#assert A() refines Growing(0);
M
for engine in product antichain auto; do
    plumb verify -q -e $engine far.csp
done
plumb verify -q -e bisimilar -a 1 far.csp
