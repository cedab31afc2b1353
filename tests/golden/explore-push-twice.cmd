# The fault of the k-stack that Round-Up found, as its section VI-D tells it: the
# pop counts itself, the push sees it, the pop takes that back, the push sees
# nothing and pushes its item again.
command -v cc >/dev/null || exit 77
plumb explore k-stack-double-read --preemptions 2 --opt 0,2 --races interleave \
    --init 'push(1) push(2) pop()' --test 'push(3) | pop()' \
    --final 'pop() pop() pop()' -- -DK=0 | sed 's/-[0-9a-f]*\.schedule/.schedule/'
