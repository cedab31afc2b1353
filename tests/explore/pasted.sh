#!/bin/sh
# pasted.sh PLUMB - the line after "Test:" shows the same violation again.
. "$(dirname "$0")/begin.sh"

cat >turns.c <<'SOURCE'
#include <plumb/object.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int last, here;
static int plain;
static void *freed;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

/* Right unless the other is before each of its steps: three preemptions. */
static void take_turns(plumb_invocation *i, int self, int other)
{
    int met = 0;
    atomic_fetch_add(&here, 1);
    for (int k = 0; k < 3; k++)
        met += atomic_exchange(&last, self) == other;
    atomic_fetch_sub(&here, 1);
    plumb_return_bool(i, met == 3);
}
static void left(plumb_invocation *i) { take_turns(i, 1, 2); }
static void right(plumb_invocation *i) { take_turns(i, 2, 1); }

static void give(plumb_invocation *i)
{
    (void)i;
    pthread_mutex_lock(&m);
    free(freed = malloc(24));
    pthread_mutex_unlock(&m);
}
static void again(plumb_invocation *i)
{
    pthread_mutex_lock(&m);
    void *const block = malloc(24);
    plumb_return_bool(i, block == freed);
    free(block);
    pthread_mutex_unlock(&m);
}
static void roll(plumb_invocation *i)
{
    plumb_return_bool(i, rand() == 2);
}
static void race(plumb_invocation *i)
{
    (void)i;
    plain++;
}
static void lose(plumb_invocation *i)
{
    (void)i;
    *(void *volatile *)&freed = malloc(8);
    *(void *volatile *)&freed = NULL;
}
PLUMB_OBJECT(.operations = { { "left", left }, { "right", right },
                             { "give", give }, { "again", again },
                             { "roll", roll }, { "race", race },
                             { "lose", lose } });
SOURCE

# shows VERDICT EXPECTED OPTION...: what the line must have; then it is run.
shows()
{
    verdict=$1 expected=$2
    shift 2
    "$plumb" explore turns.c --spec infer "$@" >out 2>&1 </dev/null
    line=$(sed -n 's/^  Test:    plumb //p' out)
    case $line in
    *"$expected"*) ;;
    *) echo "no '$expected': $line" && cat out && failed=1 ;;
    esac
    eval "\"\$plumb\" $line" >again 2>&1 </dev/null
    [ "$(head -n 1 out)" = "turns: $verdict" ] &&
        [ "$(head -n 1 again)" = "turns: $verdict" ] && return
    echo "not $verdict, then again:" && cat out again && failed=1
}

shows 'not linearizable' '--preemptions 4' \
    --test 'left() give() | right()' --preemptions all --races ignore
shows nondeterministic '--reuse choice' --test 'give() again()' --reuse choice
shows nondeterministic '--random 3' --test 'roll()' --random 3
shows 'data race' "--test 'race() | race()'" --test 'race() | race()'
shows leak '--leaks' --test 'lose()' --leaks
shows 'not linearizable' '--races ignore' \
    --test 'left() | right() race()' --preemptions all --races ignore
exit $failed
