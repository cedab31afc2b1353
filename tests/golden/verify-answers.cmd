# A model whose answers have other names than those of the specification.
cat > pop.csp <<'END'
var top = 0;
Push(i) = push_inv.i.1 -> tau{top++} -> push_res.i -> Skip;
Pop(i) = pop_inv.i -> ifa (top == 0) { pop_none.i -> Skip }
         else { tau{top--} -> pop_res.i.1 -> Skip };
Client(i) = ([top < 2] Push(i) [] Pop(i)); Client(i);
System() = ||| i:{0..1} @ Client(i);
#assert System() linearizable "stack" (clients 2, values {1});
END
plumb verify pop.csp
# As they are called there.
sed 's/pop_none/pop_empty/' pop.csp > right.csp
plumb verify right.csp
