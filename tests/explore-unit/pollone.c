/* pollone.c - a target that calls one such function, for test_imports.c. */
#include <poll.h>

int poll_one(struct pollfd *p);

int poll_one(struct pollfd *p)
{
    return poll(p, 1, 1);
}
