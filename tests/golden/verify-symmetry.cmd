# processes that differ in their number alone; the second takes it as a number
cat >lock <<'END'
var owner = -1;
Client(i) = try.i -> [owner == -1] tau -> tau{owner = i} -> in.i -> out.i{owner = -1} -> Client(i);
Lock() = ||| i:{0..2} @ Client(i);
ClientA(i) = try.i -> [owner == -1] tau{owner = i} -> in.i -> out.i{owner = -1} -> ClientA(i);
LockA() = ||| i:{0..2} @ ClientA(i);
#assert Lock() refines LockA();
#assert LockA() deadlockfree;
#assert LockA() refines Lock();
END
plumb verify --symmetry on lock
sed 's/ClientA(i) = try.i/ClientA(i) = [i < 3] try.i/' lock >first
plumb verify --symmetry on -a 3 first
echo "what keeps processes from being alike, and where" >&2
for text in 'P(i) = [i == 1] a -> Skip;' 'var x; P(i) = a{x = x + i} -> Skip;' \
    'channel c 1; P(i) = c!i -> Skip;' 'P(i) = (a -> Skip) || (a -> Skip);' \
    'P(i) = (a.i -> Skip) \ {a.i};'; do
    echo "$text S() = ||| i:{0..2} @ P(i); #assert S() nonterminating;" >model
    plumb verify --symmetry on -q model
    plumb verify --symmetry on model >out
done
