/* live_users.c - see live_users.h. */
#include "live_users.h"

#include "base/memory.h"
#include <string.h>

void plumb_check_live_users_init(struct plumb_check_live_users *u,
                                 struct plumb_check_live_numbers *numbers)
{
    *u = (struct plumb_check_live_users){ .numbers = numbers };
}

void plumb_check_live_users_release(struct plumb_check_live_users *u)
{
    PLUMB_RELEASE(u->numbers->budget, u->users, u->capacity);
    plumb_check_live_users_init(u, u->numbers);
}

static bool is_number(uint32_t word)
{
    return word < INT32_MAX;
}

bool plumb_check_live_use(struct plumb_check_live_users *u, uint32_t word)
{
    if (!is_number(word))
        return true;
    if (!PLUMB_GROW_ZEROED(u->numbers->budget, u->users, u->capacity,
                           (size_t)word + 1))
        return false;
    u->users[word]++;
    return true;
}

void plumb_check_live_leave(struct plumb_check_live_users *u, uint32_t word)
{
    if (is_number(word) && !--u->users[word])
        plumb_check_live_forget(u->numbers, word);
}
