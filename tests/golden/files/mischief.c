/* mischief.c - a counter that, in its third history and wherever MISCHIEF in
 * the environment says, does what no object should. */
#include <plumb/object.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int *mischief_nowhere; /* others might set it, for all the compiler knows */
static _Atomic long value;
static int history;

static void wait_for_ever(void)
{
    for (;;)
        pause();
}

/* Random bytes over all memory that is shared with another process. */
static void scribble(void)
{
    char line[512], may[8];
    unsigned long from, to;
    FILE *const maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx %7s", &from, &to, may) == 3 &&
            may[1] == 'w' && may[3] == 's')
            for (; from < to; from++)
                *(char *)from = (char)rand();
    abort();
}

/* MISCHIEF is WHERE-WHAT. */
static void perhaps(const char *where)
{
    const char *const mischief = getenv("MISCHIEF");
    const size_t length = strlen(where);
    if (!mischief || strncmp(mischief, where, length) != 0 ||
        mischief[length] != '-')
        return;
    const char *const what = mischief + length + 1;
    if (!strcmp(what, "segv"))
        *mischief_nowhere = 1;
    if (!strcmp(what, "abort"))
        abort();
    if (!strncmp(what, "exit", 4))
        exit(atoi(what + 4));
    if (!strcmp(what, "hang"))
        wait_for_ever();
    if (!strcmp(what, "scribble"))
        scribble();
    if (!strcmp(what, "print"))
        puts("printed by the object");
    if (!strcmp(what, "read") && getchar() != EOF)
        puts("the object has read an answer");
}

__attribute__((constructor)) static void construct(void)
{
    perhaps("load");
}

static void setup(void)
{
    value = 0;
    if (++history == 3)
        perhaps("setup");
}

static void teardown(void)
{
    if (history == 3)
        perhaps("teardown");
}

static void inc(plumb_invocation *i)
{
    (void)i;
    if (history == 3)
        perhaps("inc");
    value++;
}

static void get(plumb_invocation *i)
{
    plumb_return(i, value);
}

PLUMB_OBJECT(.name = "C", .spec = "counter", .setup = setup,
             .teardown = teardown,
             .operations = { { "inc", inc }, { "get", get } });
