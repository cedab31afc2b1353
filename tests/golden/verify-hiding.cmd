# Events of channels can be hidden; what cannot be meant is said.
cat >hiding.csp <<'M'
channel c 1;
channel d[2] 0;
P() = c!1 -> d[1]!2 -> b -> P();
R() = c?x -> d[1]?y -> R();
Q() = (P() ||| R()) \ {c, d[1]};
T() = (P() ||| R()) \ {c!1, c?1, d[1].2};
U() = (P() ||| R()) \ {c!1, c?1, i:{0..1} @ d[i]!3};
S() = b -> S();
#assert Q() refines S();
#assert T() refines S();
#assert U() refines S();
M
without-times plumb verify --verbose hiding.csp
without-times plumb verify --json -a 3 hiding.csp
cat >nothing.csp <<'M'
channel c 1;
P() = c!1 -> push.1 -> P();
R() = c?x -> R();
Q() = (P() ||| R()) \ {c.1, nothing, push};
#alphabet R {pull};
#assert Q() |= [] <> push;
#assert Q() |= [] (c.1 -> <> push.1);
M
plumb verify nothing.csp
