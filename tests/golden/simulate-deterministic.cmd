# The same seed, the same operations.
command -v cc >/dev/null || exit 77
run()
{
    plumb simulate -q -cvariety.c -d -p1 -n5 --histories 30 -o "$@"
}
run one.hist --seed 7
run two.hist --seed 7
run plain.hist --seed 7 --noise 0
run other.hist --seed 8
cmp one.hist two.hist && cmp one.hist plain.hist && echo same
cmp -s one.hist other.hist || echo other
# What belongs to every history is in every one, texts are quoted as they must.
for call in "^M put(red,\"a .\"b.\"\") P1" "^M get(.*) P1" "^M none() P1" \
    "^M get(\".\"\") P1" "^M contains(blue) P1" "^M ok(false) P1"; do
    grep -q "$call" one.hist || echo "no $call"
done
grep -c "^M put(red,\"a .\"b.\"\") P1" one.hist
# By several processes the same calls, whatever their order was.
for noise in 0 2 50; do
    plumb simulate -q -c queue-coarse -d -p3 -n5 --histories 20 --seed 7 \
        --noise $noise -o several.$noise
    grep -e enq -e deq several.$noise | sort >calls.$noise
    cmp calls.0 calls.$noise && echo same calls
done
