# Locks block; claims of each other may go on for ever; a swap may be overtaken.
cat >progress.csp <<'M'
var lock; var x; var y; var seen[2];
Take(i) = take_inv.i -> [lock == 0] tau{lock = 1} -> tau{lock = 0} -> take_res.i -> Skip;
Spin(i) = spin_inv.i -> Try(i);
Try(i) = ifa (lock == 0) { tau{lock = 1} -> tau{lock = 0} -> spin_res.i -> Skip }
         else { busy.i -> Try(i) };
Claim(i) = claim_inv.i -> Again(i);
Again(i) = tau{x = i} -> ifa (x == i) { claim_res.i -> Skip } else { tau -> Again(i) };
Swap(i) = swap_inv.i -> Loop(i);
Loop(i) = tau{seen[i] = y} -> ifa (y == seen[i]) { tau{y = 1 - y} -> swap_res.i -> Skip }
          else { tau -> Loop(i) };
Read(i) = read_inv.i -> read_res.i.y -> Skip;
Locks(i) = Take(i); Locks(i);
Spins(i) = Spin(i); Spins(i);
Claims(i) = Claim(i); Claims(i);
Swaps(i) = Swap(i); Swaps(i);
Reads(i) = Read(i); Reads(i);
A() = ||| i:{0..1} @ Locks(i);
B() = (||| i:{0..1} @ Spins(i)) \ {busy.0, busy.1};
C() = ||| i:{0..1} @ Claims(i);
D() = ||| i:{0..1} @ Swaps(i);
E() = Swaps(0) ||| Reads(1);
F() = Waits(0) ||| Spinner();
Waits(i) = wait_inv.i -> [x == 1] wait_res.i -> Skip;
Spinner() = go -> atomic { Round() };
Round() = tau -> Round();
#assert A() lockfree (clients 2);
#assert B() obstructionfree (clients 2);
#assert C() obstructionfree (clients 2);
#assert C() lockfree (clients 2);
#assert D() lockfree (clients 2);
#assert D() waitfree (clients 2);
#assert E() lockfree (clients 3);
#assert F() lockfree (clients 1);
M
plumb verify progress.csp
echo "exit $?"
without-times plumb verify --json -a 4 progress.csp
without-times plumb verify --json -a 1 progress.csp
# Nothing is renamed where it matters who is who.
plumb verify --symmetry on -q -a 5 progress.csp
# What has no answer.
cat >misused.csp <<'M'
Twice(i) = a_inv.i -> a_inv.i -> a_res.i -> Skip;
Other(i) = a_inv.i -> b_res.i -> b_inv.i -> Skip;
First(i) = a_res.i -> a_inv.i -> Skip;
Once(i) = a_inv.i -> a_res.i -> Skip;
Mute() = a_inv -> a_res -> Skip;
Copy() = a_inv.0 -> a_res.0 -> Copy();
#assert Twice(0) lockfree (clients 1);
#assert Other(0) lockfree (clients 1);
#assert First(0) lockfree (clients 1);
#assert Once(1) lockfree (clients 1);
#assert Mute() lockfree (clients 1);
Both() = Once(0); Once(1); Both();
#assert Both() lockfree (clients 2);
Hidden() = Once(0) \ {a_inv.0, a_res.0};
#assert Hidden() lockfree (clients 1);
Copies() = |||{2} @ Copy();
#assert Copies() lockfree (clients 1);
M
plumb verify misused.csp
echo "exit $?"
for clients in '' '(clients)' '(clients 65)' '(2)'; do
    echo "P() = a_inv.0 -> Skip; #assert P() waitfree $clients;" >wrong.csp
    plumb verify wrong.csp
done
