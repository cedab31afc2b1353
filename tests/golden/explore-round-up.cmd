# Round-Up as printed: both phases, what they count, and where the default
# decides otherwise.
command -v cc >/dev/null || exit 77
round_up()
{
    plumb explore "$@"
    echo "exit $?"
}
without_steps()
{
    sed -e '/^  interleaving/,/^$/d' -e 's/-[0-9a-f]*\.schedule/-HASH.schedule/'
}
echo '# the counts of the paper: 6 serial histories, 14 permutations each'
round_up quasi-queue --quasi 2 --algorithm round-up --preemptions 1 \
    --init 'enq(1) enq(2)' --test 'enq(3) deq() | enq(4) deq()' \
    --final 'deq() deq()' -- -DK=2
echo '# nothing is left out; and the object itself is the golden model'
round_up quasi-queue --quasi 1 --algorithm round-up --duplicates all \
    --golden 'quasi-queue -DK=0' --preemptions 1 --init 'enq(1)' \
    --test 'enq(2) deq() | deq()'
echo '# a violation'
round_up quasi-queue-far --quasi 1 --algorithm round-up --preemptions 0 \
    --init 'enq(1) enq(2) enq(3)' --test 'deq() | deq()' --final 'deq()' \
    | without_steps
echo '# one that the default does not see: items are left'
round_up quasi-queue --quasi 1 --algorithm round-up --preemptions 0 \
    --init 'enq(1) enq(2)' --test 'deq() | enq(3)' 2>&1 | without_steps
echo '# for programs'
round_up treiber --quasi 0 --algorithm round-up --permute all --json \
    --init 'push(1)' --test 'push(2) | pop()' --final 'pop()'
echo '# what does not go together'
round_up quasi-queue --algorithm round-up
round_up quasi-queue --algorithm round-up --quasi auto
round_up quasi-queue --golden quasi-queue
round_up quasi-queue --algorithm round-up --quasi 1 --duplicates none
round_up quasi-queue --algorithm round-up --quasi 1 --strategy states
round_up quasi-queue --algorithm round-up --quasi 1 --golden 'no-such-object'
round_up harris-michael --algorithm round-up --quasi 1
