# A write to what several processes use is shown also where it changes nothing;
# to what a process has for itself only where it does.
cat >lost.csp <<'M'
var count = 0;
var seen[2];
Add(i) = add_inv.i.1 -> tau{seen[i] = count} -> tau{seen[i] = seen[i]; count = seen[i] + 1} -> add_res.i -> Skip;
Get(i) = get_inv.i -> get_res.i.(count) -> Skip;
Client(i) = (Add(i) [] Get(i)); Client(i);
System() = ||| i:{0..1} @ Client(i);
#assert System() linearizable "counter" (clients 2, values {0..3});
M
plumb verify lost.csp
without-times plumb verify --json lost.csp | tr '{' '\n' | grep unchanged
cat >meet.csp <<'M'
channel c 0;
channel d 1;
var a[3];
var own;
var last = 1;
P() = tau{own = 0} -> c!1{a[2 - last] = 0; last = 1} -> d!0{a[last] = 7} -> Stop;
Q() = c?x{a[x + 1] = 0} -> [a[0] + a[1] + a[2] + last > 0] Q();
System() = P() ||| Q();
#define done a[1] == 7;
#assert System() reaches done;
M
without-times plumb verify --verbose meet.csp
cat >later.csp <<'M'
var x; var y;
P() = start -> (a{x = 0} -> Stop ||| b{y = 0} -> [x == 0] Stop);
Q() = a{x = 0} -> c{y = 0} -> Stop;
#assert P() deadlockfree;
#assert Q() deadlockfree;
M
plumb verify later.csp
