#!/bin/sh
# arguments.sh PLUMB - main() gets all of its arguments, in a replay as well; or
# it is not run.
. "$(dirname "$0")/begin.sh"

cat >count.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static atomic_int count;

static void *run(void *unused)
{
    atomic_fetch_add(&count, 1);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t t;
    size_t bytes = 0;
    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, NULL);
    for (int i = 1; i < argc; i++)
        bytes += strlen(argv[i]);
    printf("%d arguments, %zu bytes\n", argc - 1, bytes);
    assert(!argv[argc] && !"it failed");
    return 0;
}
END

expect()
{
    [ $status -eq "$1" ] && grep -q "$2" out && return
    echo "status $status, or it does not say '$2':"
    cat out
    failed=1
}

# gets TEXT STATUS ARGUMENT...
gets()
{
    text=$1 wanted=$2
    shift 2
    rm -rf .plumb
    timeout 600 "$plumb" explore count.c --args "$@" >out 2>&1 </dev/null
    status=$?
    expect "$wanted" "$text"
    [ "$wanted" -eq 1 ] || return
    timeout 600 "$plumb" replay .plumb/*.schedule >out 2>&1 </dev/null
    status=$?
    expect "$wanted" "$text"
}

gets ' 4 arguments, 4 bytes' 1 '' 'a b' '' x
# shellcheck disable=SC2046 # words are what is wanted
gets ' 500 arguments, 1392 bytes' 1 $(seq 500)
# shellcheck disable=SC2046
gets 'at most 1000 arguments' 2 $(seq 1001)

# Each list ends where the other begins.
cat >flags.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        printf("[%s]", argv[i]);
#ifdef FAULT
    abort();
#endif
    return 0;
}
END
explore()
{
    rm -rf .plumb
    timeout 60 "$plumb" explore flags.c "$@" >out 2>&1 </dev/null
    status=$?
}
explore --args 1 2 -- -DFAULT
expect 1 '\[1\]\[2\]$'
explore -- -DFAULT --args 1 2
expect 1 '\[1\]\[2\]$'
explore -- -DFAULT --args 1 -- 2
expect 1 '\[1\]\[--\]\[2\]$'
explore -- --args 1 -- -DFAULT
expect 0 'no violation'
explore --args -- -DFAULT
expect 1 'abort'
exit $failed
