// explore: -- -DMEMCPY_TO
// expect: data race
// explore: -- -DMEMCPY_FROM
// expect: data race
// explore: -- -DMEMSET
// expect: data race
// explore: -- -DSTRCPY
// expect: data race
// explore: -- -DSTRLEN
// expect: data race
// explore: -- -DMEMCMP
// expect: data race
// explore: -- -DMEMCPY_TO -O2 -D_FORTIFY_SOURCE=2
// expect: data race
// explore: -- -DSTRCPY -O2 -D_FORTIFY_SOURCE=2
// expect: data race
// explore: -- -DMEMSET -O2
// expect: data race
// explore:
// expect: no violation

/* Functions of the library read and write for who calls them, and compilers
 * like to write them out.  Without a macro nobody else does anything. */
#include <stdatomic.h>
#include <string.h>

#include "threads.h"

char text[16] = "one", other[16] = "two";
atomic_int sink;

static void *calls(void *unused)
{
#if defined MEMCPY_TO
    memcpy(text, other, 8);
#elif defined MEMCPY_FROM
    memcpy(other, text, 8);
#elif defined MEMSET
    memset(text, 1, 16);
#elif defined STRCPY
    strcpy(text, "three");
#elif defined STRLEN
    atomic_fetch_add(&sink, (int)strlen(text));
#elif defined MEMCMP
    atomic_fetch_add(&sink, memcmp(text, other, 4) < 0);
#endif
    return unused;
}

static void *writes(void *unused)
{
    text[0] = 'x';
    return unused;
}

int main(void)
{
    RUN_TWO(calls, writes);
    return atomic_load(&sink) > 100 ? other[0] : 0;
}
