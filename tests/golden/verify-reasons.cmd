# Every assertion that is violated says why, also before the first step.
cat >reasons.csp <<'M'
var x = 0;
#define two (x == 2);
#define zero (x == 0);
Nothing() = Stop;
End() = Skip;
A() = a -> A();
B() = b -> B();
Both() = a -> Stop [] a -> A();
Hidden() = (a -> Stop [] b -> A()) \ {a, b};
Later() = c -> (tau{x = 1} -> Stop [] tau{x = 2} -> Stop);
Side() = A() ||| Both();
#assert Nothing() deadlockfree;
#assert Nothing() nonterminating;
#assert End() nonterminating;
#assert A() reaches two;
#assert A() reaches zero;
#assert Nothing() |= <> a;
#assert End() |= []<> "terminate";
#assert A() refines B();
#assert Nothing() refines<F> B();
#assert Both() deterministic;
#assert Hidden() deterministic;
#assert Later() deterministic;
#assert Side() deterministic;
M
plumb verify reasons.csp
echo "exit $?"
without-times plumb verify --json -a 12 reasons.csp
# With symmetry classes would be those of other graphs: they are left out.
plumb verify --symmetry on --engine bisimilar mcs-lock
# It holds, because what it is about never happens.
cat >unheard.csp <<'M'
P() = a.1 -> b -> P();
#assert P() |= [](a.1 -> <> b);
#assert P() |= [](a.7 -> <> b);
Q() = P() \ {b};
#assert Q() |= [] !b;
M
plumb verify unheard.csp
without-times plumb verify --json -a 2 unheard.csp
