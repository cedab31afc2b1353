/* lazy_initialization.c - a value that is made when it is first asked for.
 *
 * Lazy<T> of .NET 4.0, a subject of Line-Up (Burckhardt et al., PLDI 2010,
 * table 1), made again from its documented behaviour.  `made` is read without
 * the lock first, then again with it (double-checked locking); so the factory
 * runs once.  The value is the number of times that the factory ran: always 1.
 *
 * value takes effect when it reads or writes `made`; the other two when they
 * read it. */
#include "../common/lock.h"

#include <stdatomic.h>

static pthread_mutex_t mutex;
static atomic_int runs; /* of the factory */
static atomic_int made; /* the value; 0: not yet */

static void setup(void)
{
    pthread_mutex_init(&mutex, NULL);
    atomic_store(&runs, 0);
    atomic_store(&made, 0);
}

static void teardown(void)
{
    pthread_mutex_destroy(&mutex);
}

static int factory(void)
{
    const int before = atomic_load(&runs);
    atomic_store(&runs, before + 1);
    return before + 1;
}

static int make_once(void)
{
    lock(&mutex);
    if (!atomic_load(&made))
        atomic_store(&made, factory());
    unlock(&mutex);
    return atomic_load(&made);
}

static void value(plumb_invocation *i)
{
    const int v = atomic_load(&made);
    plumb_return(i, v ? v : make_once());
}

static void to_string(plumb_invocation *i)
{
    const char text[] = { (char)('0' + atomic_load(&made)), '\0' };
    if (text[0] == '0')
        plumb_term(i, "not_created");
    else
        plumb_return_text(i, text);
}

static void is_value_created(plumb_invocation *i)
{
    plumb_return_bool(i, atomic_load(&made) != 0);
}

PLUMB_OBJECT(.name = "L", .setup = setup, .teardown = teardown,
             .operations = { { "value", value },
                             { "to_string", to_string },
                             { "is_value_created", is_value_created } });
