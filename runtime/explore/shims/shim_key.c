/* shim_key.c - values that each thread has its own of, and what is done with
 * them when it ends.
 *
 * The keys are a table; the values are in a block of the test heap, which a
 * thread gets with its first value and gives back in the end.  Keys are always
 * ours, also those that a constructor of the target makes. */
#include "real.h"
#include "shims.h"

#include "runtime/explore/memory/heap.h"
#include <errno.h>
#include <limits.h>
#include <string.h>

enum { KEYS = 32 };

static struct {
    uint32_t used; /* bit k: key k */
    uint32_t unused;
    void (*destroy[KEYS])(void *);
} keys;

void shims_keys_init(void)
{
    memory_world_keep(&keys, sizeof keys);
}

static bool is_used(unsigned key)
{
    return key < KEYS && keys.used >> key & 1;
}

/* Values of the thread that runs; NULL if it has none. */
static uintptr_t *own_values(void)
{
    return (uintptr_t *)*scheduler_slot(scheduler_self(), SLOT_KEYS);
}

static uintptr_t *make_values(struct shims_place from)
{
    uintptr_t *const slot = scheduler_slot(scheduler_self(), SLOT_KEYS);
    const size_t size = KEYS * sizeof *slot;
    if (*slot)
        return (uintptr_t *)*slot;
    void *const values = memory_heap_take(from.pc, size, sizeof *slot);
    if (values)
        memset(values, 0, size);
    *slot = (uintptr_t)values;
    return values;
}

/* ---- the models ---- */

/* Keys are numbered in the order they are made in, so that is an event.  Who
 * uses one knows of it from there. */
static void change_keys(struct shims_place from)
{
    if (scheduler_inside)
        scheduler_sync(from.pc, &keys, PLUMB_EVENT_SYNC, NULL, NULL);
}

int shims_key_create(struct shims_place from, unsigned *key,
                     void (*destroy)(void *))
{
    change_keys(from);
    if (keys.used == UINT32_MAX)
        return EAGAIN;
    const unsigned k = (unsigned)__builtin_ctz(~keys.used);
    keys.used |= UINT32_C(1) << k;
    keys.destroy[k] = destroy;
    *key = k;
    return 0;
}

/* Values that are left must not show under a new key of that number; but other
 * threads' are theirs to forget. */
int shims_key_delete(struct shims_place from, unsigned key)
{
    change_keys(from);
    if (!is_used(key))
        return EINVAL;
    keys.used &= ~(UINT32_C(1) << key);
    keys.destroy[key] = NULL;
    for (unsigned t = 0; t < PLUMB_MAX_THREADS; t++) {
        uintptr_t *const values = (uintptr_t *)*scheduler_slot(t, SLOT_KEYS);
        if (values)
            values[key] = 0;
    }
    return 0;
}

void *shims_key_get(unsigned key)
{
    const uintptr_t *const values = own_values();
    return is_used(key) && values ? (void *)values[key] : NULL;
}

int shims_key_set(struct shims_place from, unsigned key, uintptr_t value)
{
    if (!is_used(key))
        return EINVAL;
    if (!scheduler_inside)
        return ENOMEM; /* a constructor: its thread is none of the scheduler */
    uintptr_t *const values = value ? make_values(from) : own_values();
    if (value && !values)
        return ENOMEM;
    if (values)
        values[key] = value;
    scheduler_changed();
    return 0;
}

/* ---- under their names ---- */

int pthread_key_create(pthread_key_t *key, void (*destroy)(void *))
{
    return shims_key_create(PLACE, key, destroy);
}

int pthread_key_delete(pthread_key_t key)
{
    return shims_key_delete(PLACE, key);
}

void *pthread_getspecific(pthread_key_t key)
{
    return shims_key_get(key);
}

int pthread_setspecific(pthread_key_t key, const void *value)
{
    return shims_key_set(PLACE, key, (uintptr_t)value);
}

/* ---- thread-locals of C++ ---- */

struct local {
    void (*destroy)(void *);
    void *object;
    struct local *before;
};

int __cxa_thread_atexit_impl(void (*destroy)(void *), void *object,
                             void *library);

/* By libstdc++, when a thread has initialised a variable of its own. */
int __cxa_thread_atexit_impl(void (*destroy)(void *), void *object,
                             void *library)
{
    if (!scheduler_inside)
        return REAL(__cxa_thread_atexit_impl)(destroy, object, library);
    struct local *const l =
        memory_heap_take(HERE, sizeof *l, _Alignof(struct local));
    if (!l)
        return -1;
    *l = (struct local){ destroy, object,
                         (struct local *)*shims_own_slot(SLOT_LOCALS) };
    *shims_own_slot(SLOT_LOCALS) = (uintptr_t)l;
    return 0;
}

static struct local take_local(void)
{
    struct local *const l = (struct local *)*shims_own_slot(SLOT_LOCALS);
    const struct local copy = *l;
    *shims_own_slot(SLOT_LOCALS) = (uintptr_t)copy.before;
    memory_heap_give(NULL, l);
    return copy;
}

/* ---- the end of a thread ---- */

/* True if there was anything to do. */
static bool destroy_values(void)
{
    bool any = false;
    for (unsigned k = 0; k < KEYS; k++) {
        uintptr_t *const values = own_values();
        void *const value = (void *)values[k];
        if (!value || !is_used(k) || !keys.destroy[k])
            continue;
        any = true;
        values[k] = 0;
        keys.destroy[k](value);
    }
    return any;
}

void shims_release(void)
{
    uintptr_t *const slot = scheduler_slot(scheduler_self(), SLOT_KEYS);
    while (*shims_own_slot(SLOT_LOCALS))
        take_local();
    if (*slot)
        memory_heap_give(NULL, (void *)*slot);
    *slot = 0;
}

void shims_run_thread_destructors(void)
{
    while (*shims_own_slot(SLOT_LOCALS)) {
        const struct local l = take_local();
        l.destroy(l.object);
    }
    for (int i = 0; i < PTHREAD_DESTRUCTOR_ITERATIONS && own_values(); i++)
        if (!destroy_values())
            break;
    shims_release();
}
