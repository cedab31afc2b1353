# What tells processes apart: a choice, divergence, a state on the way, a wait.
cat >equal.csp <<'M'
var x;
Free() = coin -> (coffee -> Stop [] tea -> Stop);
Bound() = (coin -> coffee -> Stop) [] (coin -> tea -> Stop);
Loud() = a -> b -> Loud();
Quiet() = (a -> h -> b -> Quiet()) \ {h};
Ends() = a -> Stop;
Spins() = a -> Spin();
Spin() = tau -> Spin();
Either() = tau -> a -> Stop [] tau -> b -> Stop;
Third() = (tau -> a -> Stop [] tau -> b -> Stop) [] a -> Stop;
Count() = ||| i:{0..2} @ Up(i);
Up(i) = up.i -> tau{x = (x + 1) % 5} -> done.i.x -> Up(i);
Late() = ||| i:{0..2} @ UpLate(i);
UpLate(i) = up.i -> tau{x = (x + 1) % 5} -> ifa (x == 3) { (slow.i -> Stop) [] (done.i.x -> UpLate(i)) }
            else { done.i.x -> UpLate(i) };
Any() = |||{..} @ Loud();
#assert Loud() = Quiet();
#assert Free() = Bound();
#assert Ends() = Spins();
#assert Third() = Either();
#assert Count() = Late();
#assert Any() = Loud();
M
plumb verify equal.csp
echo "exit $?"
without-times plumb verify --json -a 2 equal.csp
without-times plumb verify --json -a 4 --symmetry on equal.csp
plumb verify -q --count pat3 -a 1 equal.csp
echo 'P() = a -> P(); #assert P() = ;' >wrong.csp
plumb verify wrong.csp
# Both sides have to be known; one that has no end is stopped.
echo 'var x; P() = a{x++} -> P(); #assert P() = P();' >endless.csp
plumb verify -m 20M endless.csp | sed 's/[0-9]* and [0-9]* states/N and M states/; s/up to [0-9]*/up to N/'
