# Arrays that are passed as a whole, seen from outside.
cat >relay.csp <<'MODEL'
var route = [2, 0, 1];
var seen[3];
channel next 1;
Send(r, at) = next!r.at -> moved{route[0] = 9} -> Skip;
Pass() = next?r.at -> hop.(r[at]){seen = r} -> ifa (seen == r && at == 2) { Skip } else { Send(r, r[at]); Pass() };
System() = Send(route, 0) ||| Pass() ||| Send([1, 2, 0], 1);
#define full (seen[1] == 2);
#assert System() deadlockfree;
#assert System() reaches full;
MODEL
plumb verify relay.csp
echo "exit $?"
for model in "P() = Q(3); Q(a) = e.(a[0]) -> Skip;" \
    "P() = Q([1, 2]); Q(a) = e.(a + 1) -> Skip;" \
    "P() = c![1, 2] -> c![1, 2, 3] -> Skip;" \
    "P() = Q([1, 2], x); Q(a, i) = e.(a[i]){x++} -> Q(a, x);"; do
    printf 'var x; channel c 2;\n%s\n#assert P() deadlockfree;\n' "$model" \
        >wrong.csp
    plumb verify wrong.csp
    echo "exit $?"
done
