# Time is up also within a state that has very many steps, or long ones.
cat >programs.csp <<'M'
var x = 0;
P() = [] i:{0..60000} @ (a.i{ var k = 0; while (k < 300000) { k++; } x = k + i } -> P());
#assert P() deadlockfree;
M
cat >meetings.csp <<'M'
channel c 0;
P() = [] i:{0..20000} @ (c!i -> P());
Q() = [] i:{0..20000} @ (c?i -> Q());
R() = P() ||| Q() ||| P() ||| Q();
#assert R() deadlockfree;
M
for model in programs meetings; do
    timeout 600 plumb verify -q --timeout 0.2 $model.csp
    echo "exit status $?"
done
# One assertion that takes long does not keep the others from being decided.
cat >several.csp <<'M'
var x = 0;
P() = a{x = x + 1} -> P();
Q() = b -> Q();
#define never x < 0;
#assert Q() deadlockfree;
#assert P() reaches never;
#assert Q() |= [] b;
#assert Q() refines Q();
M
timeout 600 plumb verify -q --timeout-each 0.3 several.csp
echo "exit status $?"
timeout 600 plumb verify -q --timeout 0.3 --timeout-each 100 several.csp
echo "exit status $?"
plumb verify --timeout-each 1 --dot out.dot several.csp
