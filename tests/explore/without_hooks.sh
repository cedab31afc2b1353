#!/bin/sh
# without_hooks.sh PLUMB - a part of a target that was compiled without hooks
# makes a pass undecided, however it gets at what it shares.
. "$(dirname "$0")/begin.sh"
command -v objdump >/dev/null || exit 77

cat >part.c <<'END'
int count;
struct node { struct node *next; } *top;
#if PART == 0
void part(void *node) { (void)node; count++; }
#elif PART == 1
void part(void *node) { (void)node; *(volatile int *)&count; }
#elif PART == 2
void part(void *node) { ((struct node *)node)->next = 0; }
#else
void part(void *node) { top = node; }
#endif
END
cat >whole.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
void part(void *node);
static atomic_int steps;
static void *run(void *node)
{
    atomic_fetch_add(&steps, 1);
    part(node);
    return NULL;
}
int main(void)
{
    static void *node[2];
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, &node[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
END

for level in 0 1 2; do
    for part in 0 1 2 3; do
        cc -O$level -fPIC -DPART=$part -c part.c -o part.o || exit 1
        timeout 600 "$plumb" explore whole.c -- part.o >out 2>&1 </dev/null
        status=$?
        [ $status -eq 3 ] && continue
        echo "-O$level, $part: status $status"
        cat out
        failed=1
    done
done
grep -q '^whole: undecided (compiled without hooks: part)' out || failed=1
exit $failed
