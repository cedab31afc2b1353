# What grows where a search does not end, with numbers left out.  Where nothing
# grows without end, nothing is said.
cat > growing.csp <<'END'
var x; var y; var<List> l; var bounded:{0..3};
Up() = up{x++; bounded = x % 4} -> Up() [] other{y = 1 - y} -> Up();
Down() = down{x--} -> Down();
Longer() = more{l.Add(1)} -> Longer() [] other -> Longer();
Count(n) = up -> Count(n+1) [] other -> Count(n);
More() = new -> (More() ||| other -> Skip);
#assert Up() deadlockfree;
#assert Down() reaches (x == 1);
#assert Longer() divergencefree;
#assert Count(0) deadlockfree;
#assert More() nonterminating;
#assert Up() refines Up();
END
plumb verify -m 24M growing.csp | grep -o '^[^ ].*\|still growing.*' | sed 's/[0-9][0-9][0-9]*/N/'
plumb verify -m 2M -D N=4 --symmetry off stack | grep 'still growing' || echo none
