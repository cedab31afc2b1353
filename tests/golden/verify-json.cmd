without-times plumb verify --json light.csp
without-times plumb verify --json shann-queue
without-times plumb verify --json stack
without-times plumb verify --json wrong-index.csp
# The best value; time and memory are there, and not among the results.
cat >best.csp <<'M'
var x = 0;
P() = [x < 9] a{x = x + 2} -> P();
#define odd (x % 2 == 1);
#define large x > 4;
#assert P() reaches large with max(x - 100);
#assert P() reaches large with min(x);
#assert P() reaches odd with min(x);
M
without-times plumb verify --json best.csp
plumb verify --json stack | grep -c '"resources":{"seconds":'
plumb verify -v stack 2>&1 >/dev/null | sed 's/[0-9.][0-9.]*/N/g'
plumb verify -v stack 2>/dev/null | grep -c processor
