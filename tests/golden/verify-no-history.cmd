# A history is written if it is one, and if what is violated shows in it; the
# verdict stands in any case.
judge()
{
    plumb verify -q --history "$@"
    echo "exit status $?"
    [ -e "$1" ] && cat "$1"
    [ -e "$1" ] && plumb check -q --spec queue "$1"
    rm -f "$1"
}
# Who takes the step is not who calls: one component serves two clients.
cat >served.csp <<'M'
System() = (enq_inv.0.1 -> enq_inv.1.1 -> enq_res.1 -> enq_res.0 ->
            deq_inv.1 -> deq_res.1.2 -> Stop) ||| Skip;
#assert System() linearizable "queue" (clients 2, values {1..2});
M
judge h.hist served.csp
# There is a client 1, of whom the assertion does not speak; and a value 3.
cat >few.csp <<'M'
Client(i) = enq_inv.i.3 -> enq_res.i -> Client(i);
System() = ||| i:{0..1} @ Client(i);
#assert System() linearizable "queue" (clients 2, values {1..2});
#assert System() linearizable "queue" (clients 1, values {3});
M
judge h.hist few.csp
# A response twice, and a response that only the assertion does not know.
cat >twice.csp <<'M'
Twice() = enq_inv.0.1 -> enq_res.0 -> enq_res.0 -> Stop;
Much() = add_inv.0.1 -> add_res.0 -> add_inv.0.1 -> add_res.0 ->
         get_inv.0 -> get_res.0.2 -> Stop;
#assert Twice() linearizable "queue" (clients 1, values {1..2});
#assert Much() linearizable "counter" (clients 1, values {0..1});
M
judge h.hist twice.csp
# Without a number of the caller it is the component; copies are one.
cat >copies.csp <<'M'
Client() = enq_inv.1 -> enq_res -> deq_inv -> deq_res.2 -> Client();
Spec() = enq_inv.1 -> Spec() [] enq_res -> Spec() [] deq_inv -> Spec();
Two() = Client() ||| Client();
Copies() = |||{2} @ Client();
#define never (1 == 0);
Mixed() = enq_inv.1 -> enq_inv.1 -> Stop;
#assert Two() refines Spec();
#assert Copies() refines Spec();
#assert Mixed() reaches never;
#assert Mixed() deadlockfree;
M
judge h.hist -a 1 copies.csp
judge h.hist -a 2 copies.csp
judge h.hist -a 3 copies.csp
judge h.hist -a 4 copies.csp
# A deadlock is not a matter of histories.
cat >stuck.csp <<'M'
Stuck() = enq_inv.0.1 -> enq_res.0 -> Stop;
#assert Stuck() deadlockfree;
M
judge h.hist stuck.csp
plumb verify -a 2 few.csp
plumb verify -a 2 twice.csp
# An answer that the operation does not have.
cat >answer.csp <<'M'
Inc() = inc_inv.0 -> inc_res.0.1 -> Inc();
#assert Inc() linearizable "counter" (clients 1, values {0..2});
M
judge h.hist answer.csp
plumb verify answer.csp
