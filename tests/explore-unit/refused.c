/* refused.c - a target that calls what nobody can follow, for test_imports.c.
 */
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

int refused(char *text);

int refused(char *text)
{
    struct pollfd p = { .fd = 0 };
    char *const at = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, 0, 0);
    qsort(text, strlen(text), 1, (int (*)(const void *, const void *))strcmp);
    return poll(&p, 1, 1) + socket(1, 2, 3) + (strtok(text, " ") == at) +
           fork() + chdir(text) + fsync(0) + *at;
}
