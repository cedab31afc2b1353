# Where the printed histories stop being linearizable: for each, the last event
# of the longest prefix that is linearizable, and the event after it.
turning_point()
{
    grep -v "^/" "$1" >events
    n=1
    while [ $n -le "$(grep -c . events)" ]; do
        head -n $n events >"prefix-$(printf %03d $n).hist"
        n=$((n + 1))
    done
    plumb check -q -s "$2" prefix-*.hist >verdicts
    # All linearizable ones come first: from a violation nothing leads back.
    sed "s/.*: //" verdicts | uniq -c | sed "s/^ *//"
    n=$(grep -c ": linearizable" verdicts)
    sed -n "$n p; $((n + 1)) p" events
    rm prefix-*.hist
}

# The margin of 4.3 says "Wrong! e cannot be the first element of Q" at Ok(e) P2.
# It can: two other Deq() are open, and one of them may have taken y before.  So
# the history may still be right there.  It is wrong once P3 answers c, since t,
# which nobody took, was in the queue before c was to be enqueued.
echo "4.3"
turning_point paper-4.3.hist queue

# The margin of 4.2 is right: P1's insert(e) must not answer t, since P3's did,
# and nobody deleted e.
echo "4.2"
turning_point paper-4.2.hist set

# No prefix of 4.1 is a violation, but its margin is wrong twice.  "P1 dequeues
# w enqueued by P4": P4 enqueued j before it called Enq(w), so j would have had
# to leave before that w.  It is the w of P2, whose Enq(w) is pending: without it
# there is a violation.
echo "4.1"
turning_point paper-4.1.hist queue:blocking
grep -v "Enq(w).*P2" paper-4.1.hist | plumb check -q -s queue:blocking -

# "Q's value is [j], [u, j], or [j, u]": the w of P4 is in it, too.
value_can_be()
{
    cat paper-4.1.hist >with-value.hist
    for item in "$@"; do
        printf "Q Deq() P5\nQ Ok(%s) P5\n" "$item"
    done >>with-value.hist
    # queue: a last Deq() finds nothing
    printf "Q Deq() P5\nQ Empty() P5\n" >>with-value.hist
    echo "[$*] $(plumb check -q -s queue with-value.hist)"
}
value_can_be j
value_can_be u j
value_can_be j u
value_can_be j w
value_can_be u j w
value_can_be j u w
value_can_be j w u
