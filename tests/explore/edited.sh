#!/bin/sh
# edited.sh PLUMB - a schedule that was changed shows no execution that there is
# none of, and whoever changed it is not told of a bug.
. "$(dirname "$0")/begin.sh"

cat >dice.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int sum;

static void *throws(void *unused)
{
    atomic_fetch_add(&sum, rand());
    return unused;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, throws, NULL);
    throws(NULL);
    pthread_join(other, NULL);
    assert(sum < 2);
    return 0;
}
END

# edited BY STATUS TEXT: the schedule, edited, comes to that.
edited()
{
    sed "$1" whole >here.schedule
    timeout 600 "$plumb" replay here.schedule >out 2>&1 </dev/null
    status=$?
    [ $status -eq "$2" ] && grep -q "$3" out && return
    echo "$1: status $status, not $2, or it does not say '$3':"
    cat out
    failed=1
}

timeout 600 "$plumb" explore dice.c >out 2>&1 </dev/null
cp .plumb/*.schedule whole || { cat out && exit 1; }
edited '' 1 'assertion failed: sum < 2'
edited 's/?1/?2/g' 2 'diverges at step .*if the file is, too'
edited 's/?1/?0/g' 3 'do not show .*if the file is, too'
edited 's/T0\*/T7*/' 2 'diverges at step 0 '
edited 's/^finding .*/finding deadlock/' 1 'for another finding: deadlock'
exit $failed
