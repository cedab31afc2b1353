# Who is a process: the operands of the composition that there is.
cat >late.csp <<'M'
A(i) = a.i -> A(i);
Both() = A(0) ||| A(1);
Later() = begin -> Both();
After() = (begin -> Skip ||| begin -> Skip); Both();
Hidden() = (begin -> Both()) \ {begin};
Until() = Both() interrupt (halt -> Stop);
#assert Both() |= []<> a.1;
#assert Later() |= []<> a.1;
#assert After() |= []<> a.1;
#assert Hidden() |= []<> a.1;
#assert Until() |= []<> a.1 || <> halt;
#assert Until() |= <> halt;
M
plumb verify -q --fairness weak late.csp
# An operand is one process, whatever becomes of it; at the top as elsewhere.
cat >splits.csp <<'M'
A(i) = a.i -> A(i);
Splits() = (split -> (A(0) ||| A(1))) ||| A(2);
Later() = begin -> Splits();
#assert Splits() |= []<> a.1;
#assert Splits() |= []<> a.2;
#assert Later() |= []<> a.1;
#assert Later() |= []<> a.2;
M
plumb verify -q --fairness strong splits.csp
# Before a choice is made, nobody has begun.
cat >choice.csp <<'M'
Busy() = d -> Busy();
P() = ((a -> b -> Skip ||| Busy()); P()) [] (c -> P());
#assert P() |= <> a;
#assert P() |= [](a -> <> b);
M
plumb verify -q --fairness strong choice.csp
# Copies are one each, also if nobody counts them.
cat >copies.csp <<'M'
Once() = a -> b -> Skip;
Busy() = c -> Busy();
Some() = (|||{3} @ Once()) ||| Busy();
Many() = begin -> ((|||{..} @ Once()) ||| Busy());
#assert Some() |= <>[] !(a || b);
#assert Some() |= [](a -> <> b);
#assert Many() |= [](a -> <> b);
M
plumb verify -q --fairness weak copies.csp
echo "exit $?"
plumb verify -q copies.csp
# As many as there are bits.
cat >many.csp <<'M'
#define N 64;
P(i) = a.i -> P(i);
Steps(k) = a.k -> Steps((k+1)%N);
System() = begin -> (||| i:{0..N-1} @ P(i));
Copies() = |||{2} @ Steps(0);
#assert System() |= []<> a.63;
#assert Copies() |= []<> a.63;
M
plumb verify -q --fairness weak many.csp
echo "exit $?"
plumb verify -q --fairness weak -D N=65 -a 1 many.csp
plumb verify -q --fairness weak -D N=65 -a 2 many.csp
# Of PAT 2.
cat >older.csp <<'M'
P() = wl(eat.0) -> P();
M
plumb verify older.csp
