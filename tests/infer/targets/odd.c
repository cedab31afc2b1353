/* odd.c - operations that end in odd ways, mostly when they are called second. */
#include <assert.h>
#include <plumb/object.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_int count;
static int kept; /* nobody resets it */
static volatile int *nowhere;

static void inc(plumb_invocation *i)
{
    plumb_return(i, atomic_fetch_add(&count, 1));
}

static void forever(plumb_invocation *i)
{
    (void)i;
    for (;;)
        __asm__ volatile("");
}

static void crash(plumb_invocation *i)
{
    (void)i;
    if (count == 1)
        *nowhere = 1;
}

static void quit(plumb_invocation *i)
{
    (void)i;
    if (count == 1)
        exit(0);
}

static void part(plumb_invocation *i)
{
    (void)i;
    if (atomic_fetch_add(&count, 1) == 1)
        pthread_exit(NULL);
}

static void fail(plumb_invocation *i)
{
    (void)i;
    assert(count != 1);
}

static void many(plumb_invocation *i)
{
    for (int k = 0; k < 100 + count; k++)
        plumb_return(i, k);
}

static void long_text(plumb_invocation *i)
{
    char text[300];
    memset(text, 'x', sizeof text);
    text[count == 0 ? 255 : 299] = '\0';
    plumb_return_text(i, text);
}

static void long_term(plumb_invocation *i)
{
    plumb_term(i, count == 0 ? "abcdefghijklmnopqrstuvw"
                             : "abcdefghijklmnopqrstuvwxyz");
}

static void keep(plumb_invocation *i)
{
    plumb_return(i, kept++);
}

/* As often as it likes. */
static void flip(plumb_invocation *i)
{
    while (rand() & 1)
        ;
    plumb_return(i, 7);
}

static void flips(plumb_invocation *i)
{
    int k = 0;
    while (rand() & 1)
        k++;
    plumb_return(i, k);
}

PLUMB_OBJECT(.name = "O", .operations = { { "inc", inc },
                                          { "forever", forever },
                                          { "crash", crash },
                                          { "quit", quit },
                                          { "part", part },
                                          { "fail", fail },
                                          { "many", many },
                                          { "long_text", long_text },
                                          { "long_term", long_term },
                                          { "keep", keep },
                                          { "flip", flip },
                                          { "flips", flips } });
