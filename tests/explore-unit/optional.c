/* optional.c - a target that uses a variable of libc, for test_imports.c. */
#include <unistd.h>

int optional(void);

int optional(void)
{
    return optind++;
}
