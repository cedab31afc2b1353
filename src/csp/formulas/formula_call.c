/* formula_call.c - functions that expressions call.
 *
 * A built-in one takes its arguments as an array.  An imported one is plain C,
 * and what it is called as has to be what it was written as: a value is an
 * int32_t, an array a const int32_t *.  So there is a type for each number of
 * arguments and each choice of arrays among them, 511 in all. */
#include "formula_nodes.h"

/* STEPk(types, values), lists in brackets: the call if there are k arguments,
 * else the next one is put behind them, as what it is. */
#define LIST(...)   __VA_ARGS__
#define CALL(t, v)  ((int32_t(*)(LIST t))f)(LIST v)
#define A(t)        (LIST t, const int32_t *)
#define V(t)        (LIST t, int32_t)
#define AT(v, k)    (LIST v, arg[k].array)
#define OF(v, k)    (LIST v, arg[k].value)
#define STEP8(t, v) CALL(t, v)
#define STEP7(t, v)                                                            \
    (count == 7 ? CALL(t, v)                                                   \
     : size[7]  ? STEP8(A(t), AT(v, 7))                                        \
                : STEP8(V(t), OF(v, 7)))
#define STEP6(t, v)                                                            \
    (count == 6 ? CALL(t, v)                                                   \
     : size[6]  ? STEP7(A(t), AT(v, 6))                                        \
                : STEP7(V(t), OF(v, 6)))
#define STEP5(t, v)                                                            \
    (count == 5 ? CALL(t, v)                                                   \
     : size[5]  ? STEP6(A(t), AT(v, 5))                                        \
                : STEP6(V(t), OF(v, 5)))
#define STEP4(t, v)                                                            \
    (count == 4 ? CALL(t, v)                                                   \
     : size[4]  ? STEP5(A(t), AT(v, 4))                                        \
                : STEP5(V(t), OF(v, 4)))
#define STEP3(t, v)                                                            \
    (count == 3 ? CALL(t, v)                                                   \
     : size[3]  ? STEP4(A(t), AT(v, 3))                                        \
                : STEP4(V(t), OF(v, 3)))
#define STEP2(t, v)                                                            \
    (count == 2 ? CALL(t, v)                                                   \
     : size[2]  ? STEP3(A(t), AT(v, 2))                                        \
                : STEP3(V(t), OF(v, 2)))
#define STEP1(t, v)                                                            \
    (count == 1 ? CALL(t, v)                                                   \
     : size[1]  ? STEP2(A(t), AT(v, 1))                                        \
                : STEP2(V(t), OF(v, 1)))

static int32_t call_imported(void (*f)(void),
                             const union plumb_csp_argument *arg,
                             const uint32_t *size, uint32_t count)
{
    if (count == 0)
        return ((int32_t(*)(void))f)();
    return size[0] ? STEP1((const int32_t *), (arg[0].array))
                   : STEP1((int32_t), (arg[0].value));
}

bool plumb_csp_function_call(const struct plumb_csp_function_use *use,
                             const union plumb_csp_argument *args,
                             const uint32_t *sizes, uint32_t count,
                             int32_t *value)
{
    if (use->function)
        *value = use->function(args, sizes, count);
    else if (use->foreign)
        *value = call_imported(use->foreign, args, sizes, count);
    return use->function || use->foreign;
}
