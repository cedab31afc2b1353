# Schedules that are not conflict-serializable are told beside the verdict.
command -v cc >/dev/null || exit 77
plumb explore benign-retry --test 'inc() | inc()' --also serializability
plumb explore benign-retry --test 'inc() | inc()' --also serializability --json
plumb explore benign-comparison --test 'cancel() | cancel()' \
    --also serializability
# ... of a violation, too
plumb explore counter-race --test 'inc() get() | inc()' --also serializability \
    | grep -A 2 '^counter-race\|also:'
# states and chance leave schedules out
plumb explore counter-race --also serializability --strategy states
plumb explore counter-race --also atomicity
# a program has no operations
echo 'int main(void) { return 0; }' >program.c
plumb explore program.c --also serializability
