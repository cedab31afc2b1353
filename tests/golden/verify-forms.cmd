# Messages and constants in formulas, arrays in programs, any beginning.
cat >forms.csp <<'M'
#define TWO 2;
channel c 1; channel d 0;
var seen; var start:{1..2} = *;
#define swapped (seen == 12);
Sender() = c!TWO -> c?x -> d!x -> Sender();
Receiver() = d?y{var t = [y, 1, 0]; var k = 0;
                 while (k < start) { t[k] = t[k + 1] * 10 + t[k]; k++ }
                 seen = t[0]} -> Receiver();
System() = Sender() ||| Receiver();
Either() = (go.start, stay) -> Either();
Bad() = a{var t[2]; t[start] = 1} -> Bad();
#assert System() |= [](c!TWO -> <> d!2);
#assert System() reaches swapped;
#assert Either() |= <> go.TWO;
#assert Bad() deadlockfree;
M
plumb verify forms.csp
echo "exit $?"
plumb verify --simulate --steps 4 forms.csp
printf 'P() = e.1 -> P();\n#assert P() |= [] e.n;\n' | plumb verify -
printf 'var x = *;\n' | plumb verify -
