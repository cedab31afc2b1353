// explore:
// expect: out of bounds
// says: out of bounds: heap#1 has 1 byte; the access begins at .1$

/* Room is looked for first and taken then: two find the last place free. */
#include <stdatomic.h>
#include <stdlib.h>

#include "threads.h"

enum { ROOM = 1 };
static char *text;
static atomic_uint used;

static void *appends(void *unused)
{
    if (atomic_load(&used) < ROOM)
        text[atomic_fetch_add(&used, 1)] = 'x';
    return unused;
}

int main(void)
{
    text = malloc(ROOM);
    if (!text)
        abort();
    RUN_TWO(appends, appends);
    free(text);
    return 0;
}
