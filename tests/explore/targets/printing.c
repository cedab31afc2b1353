// explore:
// expect: no violation
// says: ^  calls whose writes to memory are not seen: snprintf$

/* Variable arguments, own and of snprintf, in two threads. */
#include <assert.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "threads.h"

static atomic_int turn;

static int sum(int count, ...)
{
    va_list list;
    int total = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++) {
        total += va_arg(list, int);
        atomic_fetch_add(&turn, 1);
    }
    va_end(list);
    return total;
}

static void *prints(void *argument)
{
    char text[64], expected[8] = "0: 6 ab";
    expected[0] = (char)('0' + number_of(argument));
    const int n = snprintf(text, sizeof text, "%u: %d %s", number_of(argument),
                           sum(3, 1, 2, 3), "ab");
    assert(n == 7 && strcmp(text, expected) == 0);
    return NULL;
}

int main(void)
{
    run_same(2, prints);
    return 0;
}
