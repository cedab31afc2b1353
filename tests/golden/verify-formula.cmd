plumb verify light.csp
echo "exit $?"
plumb verify -q -a 1 --fairness strong light.csp

# A process has a bit of its own, or nobody is said to be treated fairly.
cat >many.csp <<'M'
#define N 64;
P(i) = a.i -> P(i);
System() = ||| i:{0..N-1} @ P(i);
#assert System() |= []<> a.63;
M
plumb verify -q --fairness weak many.csp
echo "exit $?"
plumb verify -q --fairness weak -D N=65 many.csp
echo "exit $?"
plumb verify -q -D N=65 many.csp
# The other words for [] <> && ||.
cat >words.csp <<'M'
P() = a -> b -> P();
#assert P() |= G (a -> F b);
#assert P() |= G (!a \/ (!b /\ X b));
#assert P() |= F (a /\ b);
M
plumb verify -q words.csp
