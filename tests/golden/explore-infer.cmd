# An object that names no specification is compared with what it does serially.
command -v cc >/dev/null || exit 77
explore()
{
    plumb explore waiting_queue.c "$@" | sed 's/-[0-9a-f]*\.schedule/.schedule/'
}
# Figure 7 of Line-Up: four serial histories, one of them stuck
figure='add(200) add(400) | take() try_take()'
explore --test "$figure" --observations figure.xml
sed '/build:/d; /digest:/d' figure.xml
# ... which are read the next time
explore --test "$figure" --observations figure.xml
# Figure 1: the lock is tried for
explore --test 'add(200) try_take() | add(400) try_take()' -- -DBUSY
explore --test 'add(200) try_take() | add(400) try_take()' \
    --nondet try_take=Fail -- -DBUSY
explore --auto -q -- -DBUSY
explore --samples 3 --threads 2 --sequence 'add(1) take(); name()'
# texts that XML cannot have
explore --test 'name() | add(1)' --observations texts.xml | head -n 1
sed '/build:/d; /digest:/d' texts.xml
explore --test 'name() | add(1)' --observations texts.xml | head -n 1
if command -v xmllint >/dev/null; then
    xmllint --noout figure.xml texts.xml
fi
# what cannot be read
wrong()
{
    plumb explore waiting_queue.c --test "$figure" "$@"
    echo "exit $?"
}
sed 's/test: add(200)/test: add(201)/' figure.xml >other.xml
wrong --observations other.xml
sed 's/build: ./build: x/' figure.xml >build.xml
wrong --observations build.xml
sed 's/1\[ ]1 3/1[ ]3 3/' figure.xml >wrong.xml
wrong --observations wrong.xml
sed '/]2 3/d' figure.xml >fewer.xml
wrong --observations fewer.xml
sed 's/result="200"/result="201"/' figure.xml >digit.xml
wrong --observations digit.xml
head -c 500 figure.xml >short.xml
wrong --observations short.xml
sed 's/"take"/"took"/' figure.xml >named.xml
wrong --observations named.xml
wrong --observations figure.xml --nondet try_take=Fail
wrong --observations figure.xml --random 3
# a violation is looked up in them
explore --test 'add(1) try_take() | add(2) try_take()' --observations busy.xml -q -- -DBUSY
explore --test 'add(1) try_take() | add(2) try_take()' --observations busy.xml -q -- -DBUSY
grep -c '<history>' busy.xml
wrong --spec queue --observations figure.xml
wrong --nondet take
plumb explore waiting_queue.c --auto --spec queue
echo "exit $?"
plumb explore waiting_queue.c --sequence 'add(1) | take()'
echo "exit $?"
# what was observed, as a specification
explore --test "$figure" --write-spec seen.c -q
sed '/Build:/d; /^static struct plumb_value value_of/,$d' seen.c
explore --test "$figure" --write-spec seen.c -q
explore --test "$figure" --spec seen.c -q
explore --test 'take() | add(200) take()' --spec seen.c
cat >known.hist <<'END'
q add(200) A
q take() B
q ok(200) B

q add(200) A
q ok() A
q take() B
q ok(400) B

q add(200) A
q ok() A
q add(200) A
q ok() A
END
plumb check --spec seen.c known.hist
echo "exit $?"
explore --test "$figure" --spec queue --write-spec other.c
explore --test "$figure" --write-spec other.c --opt 0,2
explore --test "$figure" --write-spec other.c --async add
explore --test 'add(200) try_take() | add(400) try_take()' --write-spec other.c -q -- -DBUSY | head -n 1
test -e other.c || echo "not written"
cat >sequences.c <<'END'
#include <plumb/object.h>
static void get(plumb_invocation *i) { plumb_return(i, 1); }
PLUMB_OBJECT(.operations = { { "get", get } }, .sequences = SEQUENCES);
END
plumb explore sequences.c -- -DSEQUENCES='"get() got()"'
echo "exit $?"
# who calls matters: two tests contradict each other
cat >who.c <<'END'
#include <plumb/object.h>
static int n;
static void get(plumb_invocation *i) { n++; plumb_return(i, plumb_process(i)); }
PLUMB_OBJECT(.operations = { { "get", get } });
END
plumb explore who.c --races interleave -q --test 'get() | get()' --write-spec who_seen.c
echo "exit $?"
test -e who_seen.c || echo "not written"
# options that would be ignored
explore_says()
{
    plumb explore waiting_queue.c "$@" 2>&1
    echo "exit $?"
}
explore_says --auto --samples 3
explore_says --sequence ' ; '
explore_says --test "$figure" --nondet ''
explore_says --test "$figure" --nondet try_take=Fail,try_take=1
explore_says --test "$figure" --nondet try_take=9223372036854775808
explore_says --test "$figure" --names put=enq
explore_says --test "$figure" --names add
explore_says --test "$figure" --observations /dev/zero
explore_says --test "$figure" --observations both.xml --opt 0,2
# as JSON
cat >coin.c <<'END'
#include <plumb/object.h>
static void flip(plumb_invocation *i) { plumb_return(i, plumb_choose(2)); }
PLUMB_OBJECT(.operations = { { "flip", flip } });
END
plumb explore coin.c --test 'flip()' --json
explore --test "$figure" --json
