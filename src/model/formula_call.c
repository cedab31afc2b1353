/* formula_call.c - functions that expressions call.
 *
 * A built-in one takes its arguments as an array.  An imported one is plain C,
 * and what it is called with has to be what it was written with:
 *
 *   int32_t f(int32_t, ...)           if no argument is an array
 *   int32_t f(const int32_t *, ...)   if one is; a value comes as the address
 *                                     of a copy of it
 *
 * so that there are two prototypes for each number of arguments. */
#include "model/formula_nodes.h"

#define V int32_t
#define A const int32_t *

static int32_t call_values(void (*f)(void), const union plumb_argument *arg,
                           uint32_t count)
{
#define ARG(n) arg[n].value
    switch (count) {
    case 0:
        return ((V(*)(void))f)();
    case 1:
        return ((V(*)(V))f)(ARG(0));
    case 2:
        return ((V(*)(V, V))f)(ARG(0), ARG(1));
    case 3:
        return ((V(*)(V, V, V))f)(ARG(0), ARG(1), ARG(2));
    case 4:
        return ((V(*)(V, V, V, V))f)(ARG(0), ARG(1), ARG(2), ARG(3));
    case 5:
        return ((V(*)(V, V, V, V, V))f)(ARG(0), ARG(1), ARG(2), ARG(3), ARG(4));
    case 6:
        return ((V(*)(V, V, V, V, V, V))f)(ARG(0), ARG(1), ARG(2), ARG(3),
                                           ARG(4), ARG(5));
    case 7:
        return ((V(*)(V, V, V, V, V, V, V))f)(ARG(0), ARG(1), ARG(2), ARG(3),
                                              ARG(4), ARG(5), ARG(6));
    default:
        return ((V(*)(V, V, V, V, V, V, V, V))f)(
            ARG(0), ARG(1), ARG(2), ARG(3), ARG(4), ARG(5), ARG(6), ARG(7));
    }
#undef ARG
}

static int32_t call_addresses(void (*f)(void), const int32_t *const *arg,
                              uint32_t count)
{
#define ARG(n) arg[n]
    switch (count) {
    case 1:
        return ((V(*)(A))f)(ARG(0));
    case 2:
        return ((V(*)(A, A))f)(ARG(0), ARG(1));
    case 3:
        return ((V(*)(A, A, A))f)(ARG(0), ARG(1), ARG(2));
    case 4:
        return ((V(*)(A, A, A, A))f)(ARG(0), ARG(1), ARG(2), ARG(3));
    case 5:
        return ((V(*)(A, A, A, A, A))f)(ARG(0), ARG(1), ARG(2), ARG(3), ARG(4));
    case 6:
        return ((V(*)(A, A, A, A, A, A))f)(ARG(0), ARG(1), ARG(2), ARG(3),
                                           ARG(4), ARG(5));
    case 7:
        return ((V(*)(A, A, A, A, A, A, A))f)(ARG(0), ARG(1), ARG(2), ARG(3),
                                              ARG(4), ARG(5), ARG(6));
    default:
        return ((V(*)(A, A, A, A, A, A, A, A))f)(
            ARG(0), ARG(1), ARG(2), ARG(3), ARG(4), ARG(5), ARG(6), ARG(7));
    }
#undef ARG
}

#undef V
#undef A

bool plumb_function_call(const struct plumb_function_use *use,
                         const union plumb_argument *args,
                         const uint32_t *sizes, uint32_t count, int32_t *value)
{
    const int32_t *address[PLUMB_MOST_ARGUMENTS];
    bool has_array = false;
    if (use->function) {
        *value = use->function(args, sizes, count);
        return true;
    }
    if (!use->foreign)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        has_array |= sizes[i] > 0;
        address[i] = sizes[i] ? args[i].array : &args[i].value;
    }
    *value = has_array ? call_addresses(use->foreign, address, count)
                       : call_values(use->foreign, args, count);
    return true;
}
