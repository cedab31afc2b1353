/* test_model_formulas.c - nodes and bytecode against a walk through the tree.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/rng.h"
#include "csp/formulas/formula_nodes.h"
#include "formula_toys.h"
#include <stdlib.h>

struct bench {
    struct plumb_csp_sequences *sequences;
    struct plumb_csp_formulas *f;
    int32_t slots[SLOTS];
};

static bool set_up(struct bench *t, struct plumb_budget *budget)
{
    memset(t, 0, sizeof *t);
    pool_clear();
    t->sequences = plumb_csp_sequences_new(budget);
    t->f = t->sequences
               ? plumb_csp_formulas_new(&toy_model, t->sequences, budget)
               : NULL;
    return t->f != NULL;
}

static void tear_down(struct bench *t)
{
    plumb_csp_formulas_free(t->f);
    plumb_csp_sequences_free(t->sequences);
}

static int32_t value_of(struct bench *t, const struct plumb_csp_expr *e)
{
    struct plumb_error err;
    int32_t value = -12345;
    const uint32_t formula = plumb_csp_formula(t->f, e, NULL);
    assert_int_not_equal(formula, PLUMB_NO_FORMULA);
    assert_int_equal(
        plumb_csp_formula_value(t->f, formula, t->slots, &value, &err),
        PLUMB_OK);
    return value;
}

static void fails(struct bench *t, const struct plumb_csp_expr *e,
                  uint64_t line, const char *message)
{
    struct plumb_error err;
    int32_t value;
    const uint32_t formula = plumb_csp_formula(t->f, e, NULL);
    assert_int_not_equal(formula, PLUMB_NO_FORMULA);
    assert_int_equal(
        plumb_csp_formula_value(t->f, formula, t->slots, &value, &err),
        PLUMB_EINPUT);
    assert_string_equal(err.message, message);
    assert_int_equal(err.line, line);
    assert_int_equal(err.column, 7);
}

static struct plumb_csp_program program_of(
    const struct plumb_csp_statement *first)
{
    return (struct plumb_csp_program){ .first = first,
                                       .temps = 4,
                                       .place = { 0, 1, 1 } };
}

static void effect_fails(struct bench *t, const struct plumb_csp_statement *s,
                         uint64_t line, const char *message)
{
    const struct plumb_csp_program program = program_of(s);
    struct plumb_error err;
    const uint32_t effect = plumb_csp_effect(t->f, &program, NULL);
    assert_int_not_equal(effect, PLUMB_NO_FORMULA);
    assert_int_equal(plumb_csp_effect_run(t->f, effect, t->slots, &err),
                     PLUMB_EINPUT);
    assert_string_equal(err.message, message);
    assert_int_equal(err.line, line);
}

static void runs(struct bench *t, const struct plumb_csp_statement *s)
{
    const struct plumb_csp_program program = program_of(s);
    struct plumb_error err;
    const uint32_t effect = plumb_csp_effect(t->f, &program, NULL);
    assert_int_not_equal(effect, PLUMB_NO_FORMULA);
    assert_int_equal(plumb_csp_effect_run(t->f, effect, t->slots, &err),
                     PLUMB_OK);
}

/* ---- one by one ---- */

static void equal_formulas_are_one_number(void **state)
{
    struct bench t;
    plumb_csp_binding three[1], sum[1];
    int32_t value;
    (void)state;
    assert_true(set_up(&t, NULL));
    three[0] = plumb_csp_formula_constant(t.f, 3);
    sum[0] = plumb_csp_formula(
        t.f, binary(PLUMB_OP_ADD, variable(VAR_X), constant(1)), NULL);
    assert_int_equal(plumb_csp_formula(t.f, element(VAR_A, local(0)), three),
                     plumb_csp_formula(t.f, element(VAR_A, constant(3)), NULL));
    assert_int_not_equal(
        plumb_csp_formula(t.f, element(VAR_A, local(0)), sum),
        plumb_csp_formula(t.f, element(VAR_A, local(0)), three));
    assert_int_equal(
        plumb_csp_formula(t.f, binary(PLUMB_OP_ADD, local(0), constant(2)),
                          three),
        plumb_csp_formula_constant(t.f, 5));
    assert_true(plumb_csp_formula_is_constant(
        t.f, plumb_csp_formula_constant(t.f, -7), &value));
    assert_int_equal(value, -7);
    assert_false(plumb_csp_formula_is_constant(t.f, sum[0], &value));
    assert_int_equal(
        plumb_csp_formula_not(t.f, plumb_csp_formula_constant(t.f, 2)),
        plumb_csp_formula_constant(t.f, 0));
    assert_int_equal(plumb_csp_effect(t.f, NULL, NULL), 0);
    tear_down(&t);
}

static void nothing_is_folded_that_fails(void **state)
{
    struct bench t;
    const struct plumb_csp_expr *bad;
    (void)state;
    assert_true(set_up(&t, NULL));
    bad = binary(PLUMB_OP_DIVIDE, constant(1), constant(0));
    fails(&t, bad, bad->place.line, "division by zero");
    assert_int_equal(value_of(&t, binary(PLUMB_OP_AND, variable(VAR_X), bad)),
                     0);
    assert_int_equal(value_of(&t, binary(PLUMB_OP_OR, constant(5), bad)), 1);
    fails(&t, binary(PLUMB_OP_AND, bad, constant(0)), bad->place.line,
          "division by zero");
    bad = binary(PLUMB_OP_MODULO, variable(VAR_X), constant(0));
    fails(&t, bad, bad->place.line, "division by zero");
    tear_down(&t);
}

static void what_does_not_fit_is_an_error(void **state)
{
    struct bench t;
    const struct plumb_csp_expr *bad;
    (void)state;
    assert_true(set_up(&t, NULL));
    bad = binary(PLUMB_OP_ADD, constant(INT32_MAX), constant(1));
    fails(&t, bad, bad->place.line, "2147483648 does not fit in 32 bits");
    t.slots[SLOT_X] = INT32_MIN;
    bad = unary(PLUMB_OP_MINUS, variable(VAR_X));
    fails(&t, bad, bad->place.line, "2147483648 does not fit in 32 bits");
    bad = unary(PLUMB_OP_MINUS, constant(INT32_MIN));
    fails(&t, bad, bad->place.line, "2147483648 does not fit in 32 bits");
    bad = binary(PLUMB_OP_DIVIDE, variable(VAR_X), constant(-1));
    fails(&t, bad, bad->place.line, "2147483648 does not fit in 32 bits");
    bad = binary(PLUMB_OP_MULTIPLY, variable(VAR_X), variable(VAR_X));
    fails(&t, bad, bad->place.line,
          "4611686018427387904 does not fit in 32 bits");
    assert_int_equal(
        value_of(&t, binary(PLUMB_OP_MODULO, variable(VAR_X), constant(-1))),
        0);
    tear_down(&t);
}

static void indices_are_checked(void **state)
{
    struct bench t;
    const struct plumb_csp_expr *bad;
    (void)state;
    assert_true(set_up(&t, NULL));
    t.slots[SLOT_X] = 4;
    bad = element(VAR_A, variable(VAR_X));
    fails(&t, bad, bad->place.line, "index 4 of a is outside 0..3");
    bad = element(VAR_A, constant(-1));
    fails(&t, bad, bad->place.line, "index -1 of a is outside 0..3");
    bad = with(element(VAR_M, constant(2)), constant(0));
    fails(&t, bad, bad->place.line, "index 2 of m is outside 0..1");
    bad = with(element(VAR_M, constant(0)), constant(3));
    fails(&t, bad, bad->place.line, "index 3 of m is outside 0..2");
    bad = with(query(PLUMB_CHANNEL_SIZE, 1), constant(2));
    fails(&t, bad, bad->place.line, "index 2 of d is outside 0..1");
    bad = element(VAR_B, constant(5));
    effect_fails(&t, assign(bad, constant(0)), bad->place.line,
                 "index 5 of b is outside 0..4");
    tear_down(&t);
}

static void ranges_are_kept(void **state)
{
    struct bench t;
    const struct plumb_csp_expr *to;
    (void)state;
    assert_true(set_up(&t, NULL));
    to = variable(VAR_Y);
    effect_fails(&t, assign(to, constant(8)), to->place.line,
                 "8 is outside the range 0..7 of y");
    effect_fails(&t, assign(to, binary(PLUMB_OP_SUBTRACT, to, constant(1))),
                 to->place.line, "-1 is outside the range 0..7 of y");
    runs(&t, assign(to, constant(7)));
    assert_int_equal(t.slots[SLOT_Y], 7);
    to = element(VAR_B, variable(VAR_X));
    effect_fails(&t, assign(to, constant(3)), to->place.line,
                 "3 is outside the range -1..2 of b");
    runs(&t, assign(to, constant(-1)));
    assert_int_equal(t.slots[SLOT_B], -1);
    tear_down(&t);
}

static void a_loop_without_end_is_an_error(void **state)
{
    struct bench t;
    struct plumb_csp_statement *loop;
    (void)state;
    assert_true(set_up(&t, NULL));
    loop = statement(PLUMB_STATEMENT_WHILE, NULL, constant(1));
    loop->place.line = 99;
    effect_fails(&t, loop, 99, "a loop did not end after 1048576 rounds");
    tear_down(&t);
}

static void other_files_are_named(void **state)
{
    struct bench t;
    struct plumb_csp_expr *bad;
    (void)state;
    assert_true(set_up(&t, NULL));
    bad = binary(PLUMB_OP_DIVIDE, constant(9), constant(0));
    bad->place = (struct plumb_csp_place){ 1, 3, 7 };
    fails(&t, bad, 3, "part.csp: division by zero");
    tear_down(&t);
}

static void what_is_not_bound_cannot_be_used(void **state)
{
    struct bench t;
    const struct plumb_csp_expr *bad;
    (void)state;
    assert_true(set_up(&t, NULL));
    bad = with(expr(PLUMB_EXPR_CALL, FUN_LATER), variable(VAR_X));
    fails(&t, bad, bad->place.line,
          "cannot call function later: it is not bound or has more than 8 "
          "arguments");
    bad = local(0);
    fails(&t, bad, bad->place.line, "a name has no value here");
    bad = query(PLUMB_CHANNEL_PEEK, 0);
    fails(&t, bad, bad->place.line, "channel c is empty");
    tear_down(&t);
}

static void functions_take_values_and_arrays(void **state)
{
    struct bench t;
    struct plumb_csp_expr *e;
    int32_t value;
    (void)state;
    assert_true(set_up(&t, NULL));
    for (int i = 0; i < 4; i++)
        t.slots[SLOT_A + i] = 40 - i;
    e = with(expr(PLUMB_EXPR_CALL, FUN_LEAST), variable(VAR_A));
    assert_int_equal(value_of(&t, with(e, constant(100))), 37);
    e = with(expr(PLUMB_EXPR_CALL, FUN_LEAST), constant(4));
    e = with(e, constant(-4));
    assert_true(plumb_csp_formula_is_constant(
        t.f, plumb_csp_formula(t.f, e, NULL), &value));
    assert_int_equal(value, -4);
    e = with(expr(PLUMB_EXPR_CALL, FUN_JOIN), constant(1));
    e = with(with(e, constant(2)), constant(3));
    assert_int_equal(value_of(&t, e), 321);
    e = with(expr(PLUMB_EXPR_CALL, FUN_AT), variable(VAR_A));
    assert_int_equal(value_of(&t, with(e, constant(2))), 38);
    tear_down(&t);
}

static int32_t none(void)
{
    return 7;
}

static int32_t mixed(const int32_t *a, int32_t b, int32_t c, const int32_t *d,
                     int32_t e, int32_t f, int32_t g, const int32_t *h)
{
    return a[1] + 10 * b + 100 * c + 1000 * d[2] + 10000 * e + 100000 * f +
           1000000 * g + 10000000 * h[0];
}

static int32_t fifth(int32_t a, int32_t b, int32_t c, int32_t d,
                     const int32_t *e)
{
    return a == 1 && b == -1 && c == INT32_MAX && d == INT32_MIN ? e[0] : -1;
}

static int32_t called(void (*f)(void), const union plumb_csp_argument *args,
                      const uint32_t *sizes, uint32_t count)
{
    const struct plumb_csp_function_use use = { .foreign = f };
    int32_t value = 0;
    assert_true(plumb_csp_function_call(&use, args, sizes, count, &value));
    return value;
}

static void imported_functions_are_called_as_they_are_written(void **state)
{
    static const int32_t array[] = { 8, 1, 4 };
    const union plumb_csp_argument eight[] = {
        { .array = array }, { .value = 2 }, { .value = 3 }, { .array = array },
        { .value = 5 },     { .value = 6 }, { .value = 7 }, { .array = array }
    };
    const uint32_t eight_sizes[] = { 3, 0, 0, 3, 0, 0, 0, 3 };
    const union plumb_csp_argument five[] = { { .value = 1 },
                                              { .value = -1 },
                                              { .value = INT32_MAX },
                                              { .value = INT32_MIN },
                                              { .array = array } };
    const uint32_t five_sizes[] = { 0, 0, 0, 0, 3 };
    (void)state;
    assert_int_equal(called((void (*)(void))none, NULL, NULL, 0), 7);
    assert_int_equal(called((void (*)(void))mixed, eight, eight_sizes, 8),
                     87654321);
    assert_int_equal(called((void (*)(void))fifth, five, five_sizes, 5), 8);
}

static void channels_are_asked(void **state)
{
    struct bench t;
    const int32_t message[] = { 5, 6 };
    (void)state;
    assert_true(set_up(&t, NULL));
    assert_int_equal(value_of(&t, query(PLUMB_CHANNEL_EMPTY, 0)), 1);
    t.slots[SLOT_C] =
        (int32_t)plumb_csp_sequence_append(t.sequences, 0, message, 2);
    t.slots[SLOT_D + 1] = t.slots[SLOT_C];
    assert_int_equal(value_of(&t, query(PLUMB_CHANNEL_EMPTY, 0)), 0);
    assert_int_equal(value_of(&t, query(PLUMB_CHANNEL_FULL, 0)), 0);
    assert_int_equal(value_of(&t, query(PLUMB_CHANNEL_COUNT, 0)), 1);
    assert_int_equal(value_of(&t, query(PLUMB_CHANNEL_SIZE, 0)), 2);
    assert_int_equal(value_of(&t, query(PLUMB_CHANNEL_PEEK, 0)), 5);
    assert_int_equal(
        value_of(&t, with(query(PLUMB_CHANNEL_FULL, 1), constant(1))), 1);
    assert_int_equal(
        value_of(&t, with(query(PLUMB_CHANNEL_FULL, 1), constant(0))), 0);
    tear_down(&t);
}

static void access_is_exact_for_constant_indices(void **state)
{
    struct bench t;
    uint64_t reads = 0, writes = 0;
    struct plumb_csp_program program;
    struct plumb_csp_statement *s;
    (void)state;
    assert_true(set_up(&t, NULL));
    s = assign(with(element(VAR_M, constant(1)), constant(2)),
               element(VAR_A, constant(3)));
    then(s, assign(element(VAR_B, variable(VAR_X)),
                   query(PLUMB_CHANNEL_COUNT, 0)));
    program = program_of(s);
    plumb_csp_effect_access(t.f, plumb_csp_effect(t.f, &program, NULL), &reads,
                            &writes);
    assert_int_equal(reads, 1u << (SLOT_A + 3) | 1u << SLOT_X | 1u << SLOT_C);
    assert_int_equal(writes, 1u << (SLOT_M + 5) | 31u << SLOT_B);
    reads = 0;
    plumb_csp_formula_access(
        t.f,
        plumb_csp_formula(t.f, with(query(PLUMB_CHANNEL_FULL, 1), constant(1)),
                          NULL),
        &reads);
    assert_int_equal(reads, 1u << (SLOT_D + 1));
    tear_down(&t);
}

/* e{ x = 9; a[0] = i } with i standing for x + 1. */
static void locals_are_about_the_state_before(void **state)
{
    struct bench t;
    struct plumb_error err;
    plumb_csp_binding binding[1];
    struct plumb_csp_program program;
    struct plumb_csp_statement *s;
    (void)state;
    assert_true(set_up(&t, NULL));
    binding[0] = plumb_csp_formula(
        t.f, binary(PLUMB_OP_ADD, variable(VAR_X), constant(1)), NULL);
    s = assign(variable(VAR_X), constant(9));
    then(s, assign(element(VAR_A, constant(0)), local(0)));
    program = program_of(s);
    t.slots[SLOT_X] = 3;
    assert_int_equal(
        plumb_csp_effect_run(t.f, plumb_csp_effect(t.f, &program, binding),
                             t.slots, &err),
        PLUMB_OK);
    assert_int_equal(t.slots[SLOT_X], 9);
    assert_int_equal(t.slots[SLOT_A], 4);
    tear_down(&t);
}

static void looks_like(struct bench *t, const struct plumb_csp_expr *e,
                       const char *wanted)
{
    struct plumb_base_text text;
    plumb_base_text_init(&text, NULL);
    plumb_csp_formula_text(t->f, plumb_csp_formula(t->f, e, NULL), &text);
    assert_string_equal(plumb_base_text_string(&text), wanted);
    plumb_base_text_release(&text);
}

static void effect_looks_like(struct bench *t,
                              const struct plumb_csp_statement *s,
                              const char *wanted)
{
    const struct plumb_csp_program program = program_of(s);
    struct plumb_base_text text;
    plumb_base_text_init(&text, NULL);
    plumb_csp_formula_text(t->f, plumb_csp_effect(t->f, &program, NULL), &text);
    assert_string_equal(plumb_base_text_string(&text), wanted);
    plumb_base_text_release(&text);
}

static void text_is_as_written(void **state)
{
    struct bench t;
    struct plumb_csp_statement *s;
    const struct plumb_csp_expr *sum;
    (void)state;
    assert_true(set_up(&t, NULL));
    sum = binary(PLUMB_OP_ADD, variable(VAR_X), constant(1));
    looks_like(&t, binary(PLUMB_OP_MODULO, sum, constant(4)), "(x + 1) % 4");
    looks_like(&t,
               binary(PLUMB_OP_SUBTRACT, variable(VAR_X),
                      binary(PLUMB_OP_SUBTRACT, variable(VAR_Y), sum)),
               "x - (y - (x + 1))");
    looks_like(&t,
               binary(PLUMB_OP_AND,
                      binary(PLUMB_OP_EQUAL, element(VAR_A, constant(2)), sum),
                      unary(PLUMB_OP_NOT, with(element(VAR_M, constant(1)),
                                               variable(VAR_X)))),
               "a[2] == x + 1 && !m[1][x]");
    looks_like(&t, with(element(VAR_M, constant(1)), constant(2)), "m[1][2]");
    looks_like(&t, with(query(PLUMB_CHANNEL_FULL, 1), variable(VAR_X)),
               "call(cfull, d[x])");
    s = statement(PLUMB_STATEMENT_IF, NULL, variable(VAR_X));
    s->body = assign(variable(VAR_X), sum);
    s->otherwise = assign(temp(1), variable(VAR_Y));
    then(s, assign(variable(VAR_Y), constant(0)));
    effect_looks_like(&t, s,
                      "if (x) { x = x + 1; } else { temp1 = y; } y = 0;");
    tear_down(&t);
}

static void deep_expressions_are_refused(void **state)
{
    struct bench t;
    const struct plumb_csp_expr *e;
    (void)state;
    assert_true(set_up(&t, NULL));
    e = variable(VAR_X);
    for (int i = 0; i < 11000; i++)
        e = unary(PLUMB_OP_MINUS, e);
    assert_int_equal(plumb_csp_formula(t.f, e, NULL), PLUMB_NO_FORMULA);
    pool_clear();
    e = variable(VAR_X);
    for (int i = 0; i < 9000; i++)
        e = binary(PLUMB_OP_ADD, e, variable(VAR_X));
    t.slots[SLOT_X] = 2;
    assert_int_equal(value_of(&t, e), 18002);
    tear_down(&t);
}

/* ---- at random ---- */

enum { LOCALS = 3 };

struct maker {
    struct plumb_base_rng *rng;
    bool locals, temps;
};

static const int32_t favourite[] = { 0, 1, 2,  3,  4,         5,
                                     7, 8, -1, -2, INT32_MAX, INT32_MIN };

static const struct plumb_csp_expr *random_leaf(struct maker *k)
{
    switch (plumb_base_rng_below(k->rng, 5)) {
    case 0:
        return variable(plumb_base_rng_below(k->rng, 2));
    case 1:
        return k->locals ? local(plumb_base_rng_below(k->rng, LOCALS))
                         : variable(VAR_Y);
    case 2:
        return k->temps ? temp(plumb_base_rng_below(k->rng, 4))
                        : variable(VAR_X);
    default:
        return constant(favourite[plumb_base_rng_below(
            k->rng, plumb_base_rng_chance(k->rng, 90) ? 7 : 12)]);
    }
}

static const struct plumb_csp_expr *random_expr(struct maker *k, int depth);

/* Most indices are good ones. */
static const struct plumb_csp_expr *random_index(struct maker *k, int depth,
                                                 int32_t extent)
{
    if (plumb_base_rng_chance(k->rng, 40))
        return constant(
            (int32_t)plumb_base_rng_below(k->rng, (uint32_t)extent));
    if (plumb_base_rng_chance(k->rng, 60))
        return binary(PLUMB_OP_MODULO, random_expr(k, depth - 1),
                      constant(extent));
    return random_expr(k, depth - 1);
}

static struct plumb_csp_expr *random_element(struct maker *k, int depth)
{
    const struct plumb_csp_expr *i, *j;
    switch (plumb_base_rng_below(k->rng, 3)) {
    case 0:
        return element(VAR_A, random_index(k, depth, 4));
    case 1:
        return element(VAR_B, random_index(k, depth, 5));
    default:
        i = random_index(k, depth, 2);
        j = random_index(k, depth, 3);
        return with(element(VAR_M, i), j);
    }
}

static const struct plumb_csp_expr *random_call(struct maker *k, int depth)
{
    const struct plumb_csp_expr *a, *b, *c;
    switch (plumb_base_rng_below(k->rng, 12)) {
    case 0:
        a = random_expr(k, depth - 1);
        return with(expr(PLUMB_EXPR_CALL, FUN_LATER), a);
    case 1:
    case 2:
    case 3:
        a = random_expr(k, depth - 1);
        b = variable(VAR_A);
        return with(with(expr(PLUMB_EXPR_CALL, FUN_LEAST), a), b);
    case 4:
    case 5:
    case 6:
        a = random_expr(k, depth - 1);
        b = random_expr(k, depth - 1);
        c = random_expr(k, depth - 1);
        return with(with(with(expr(PLUMB_EXPR_CALL, FUN_JOIN), a), b), c);
    case 7:
    case 8:
        a = random_expr(k, depth - 1);
        return with(expr(PLUMB_EXPR_CALL, FUN_TWICE), a);
    default:
        a = variable(VAR_A);
        b = random_expr(k, depth - 1);
        return with(with(expr(PLUMB_EXPR_CALL, FUN_AT), a), b);
    }
}

static const struct plumb_csp_expr *random_query(struct maker *k, int depth)
{
    const enum plumb_csp_channel_query what =
        (enum plumb_csp_channel_query)plumb_base_rng_below(k->rng, 5);
    const struct plumb_csp_expr *index;
    if (plumb_base_rng_chance(k->rng, 50))
        return query(what, 0);
    index = random_index(k, depth, 2);
    return with(query(what, 1), index);
}

static const struct plumb_csp_expr *random_expr(struct maker *k, int depth)
{
    const struct plumb_csp_expr *a, *b;
    const uint32_t kind = plumb_base_rng_below(k->rng, 20);
    if (depth <= 0 || kind < 2)
        return random_leaf(k);
    if (kind < 5)
        return random_element(k, depth);
    if (kind == 5)
        return random_call(k, depth);
    if (kind == 6)
        return random_query(k, depth);
    a = random_expr(k, depth - 1);
    if (kind < 9)
        return unary(plumb_base_rng_chance(k->rng, 70) ? PLUMB_OP_NOT
                                                       : PLUMB_OP_MINUS,
                     a);
    b = random_expr(k, depth - 1);
    return binary((enum plumb_csp_operator)(PLUMB_OP_OR +
                                            plumb_base_rng_below(k->rng, 17)),
                  a, b);
}

static const struct plumb_csp_statement *random_block(struct maker *k,
                                                      int depth);

/* A loop of a few rounds, by a temporary of its own. */
static struct plumb_csp_statement *random_loop(struct maker *k, int depth)
{
    const uint32_t own = 4 + (uint32_t)depth;
    struct plumb_csp_statement *const start = assign(temp(own), constant(0));
    struct plumb_csp_statement *const loop =
        statement(PLUMB_STATEMENT_WHILE, NULL,
                  binary(PLUMB_OP_LESS, temp(own),
                         constant((int32_t)plumb_base_rng_below(k->rng, 5))));
    struct plumb_csp_statement *const step =
        assign(temp(own), binary(PLUMB_OP_ADD, temp(own), constant(1)));
    loop->body = then(step, random_block(k, depth - 1));
    return then(start, loop);
}

static struct plumb_csp_statement *random_statement(struct maker *k, int depth)
{
    struct plumb_csp_statement *s;
    const uint32_t kind = plumb_base_rng_below(k->rng, 10);
    if (depth > 0 && kind < 3) {
        s = statement(PLUMB_STATEMENT_IF, NULL, random_expr(k, 2));
        s->body = random_block(k, depth - 1);
        s->otherwise = plumb_base_rng_chance(k->rng, 50)
                           ? random_block(k, depth - 1)
                           : NULL;
        return s;
    }
    if (depth > 0 && kind == 3)
        return random_loop(k, depth);
    if (kind == 4)
        return statement(PLUMB_STATEMENT_CALL, NULL, random_call(k, 2));
    if (kind == 5)
        return assign(temp(plumb_base_rng_below(k->rng, 4)), random_expr(k, 2));
    if (kind == 6)
        return assign(random_element(k, 2), random_expr(k, 2));
    if (kind == 7)
        return assign(variable(VAR_Y), random_expr(k, 2));
    return assign(plumb_base_rng_chance(k->rng, 50) ? variable(VAR_X)
                                                    : random_element(k, 1),
                  random_expr(k, 1));
}

static struct plumb_csp_statement *last_of(struct plumb_csp_statement *s)
{
    while (s->next)
        s = (struct plumb_csp_statement *)(uintptr_t)s->next;
    return s;
}

static const struct plumb_csp_statement *random_block(struct maker *k,
                                                      int depth)
{
    struct plumb_csp_statement *const first = random_statement(k, depth);
    struct plumb_csp_statement *last = last_of(first);
    for (uint32_t n = plumb_base_rng_below(k->rng, 4); n; n--) {
        last->next = random_statement(k, depth);
        last = last_of((struct plumb_csp_statement *)(uintptr_t)last->next);
    }
    return first;
}

static void random_slots(struct bench *t, struct plumb_base_rng *rng)
{
    for (uint32_t i = 0; i < SLOT_C; i++)
        t->slots[i] = (int32_t)plumb_base_rng_below(rng, 5) - 1;
    t->slots[SLOT_Y] = (int32_t)plumb_base_rng_below(rng, 8);
    for (uint32_t i = SLOT_C; i < SLOTS; i++) {
        uint32_t s = 0;
        for (uint32_t n = plumb_base_rng_below(rng, i == SLOT_C ? 3 : 2); n;
             n--)
            s = plumb_csp_sequence_append(t->sequences, s, t->slots + n, 1);
        t->slots[i] = (int32_t)s;
    }
}

/* Locals stand for a constant, or something about the globals that cannot
 * fail (what fails may be looked at sooner than it would be needed). */
static void random_bindings(struct bench *t, struct maker *k,
                            const struct plumb_csp_expr **bound,
                            plumb_csp_binding *binding)
{
    for (uint32_t i = 0; i < LOCALS; i++) {
        const uint32_t kind = plumb_base_rng_below(k->rng, 3);
        bound[i] =
            kind == 0 ? constant((int32_t)plumb_base_rng_below(k->rng, 5))
            : kind == 1
                ? element(VAR_A,
                          constant((int32_t)plumb_base_rng_below(k->rng, 4)))
                : binary(PLUMB_OP_BITXOR, variable(VAR_X), variable(VAR_Y));
        binding[i] = plumb_csp_formula(t->f, bound[i], NULL);
        assert_int_not_equal(binding[i], PLUMB_NO_FORMULA);
    }
}

static void same_outcome(enum problem problem, enum plumb_status status,
                         const struct plumb_error *err, uint64_t seed)
{
    if ((problem == FINE) != (status == PLUMB_OK) ||
        (problem != FINE && !strstr(err->message, problem_words[problem])))
        fail_msg("seed %ju: status %d, %s, but wanted '%s'", (uintmax_t)seed,
                 (int)status, status ? err->message : "no error",
                 problem_words[problem]);
}

static void try_formula(struct bench *t, struct plumb_base_rng *rng,
                        uint64_t seed, unsigned *errors)
{
    struct maker k = { .rng = rng, .locals = true };
    const struct plumb_csp_expr *bound[LOCALS], *e;
    plumb_csp_binding binding[LOCALS];
    pool_clear();
    random_bindings(t, &k, bound, binding);
    e = random_expr(&k, 5);
    const uint32_t formula = plumb_csp_formula(t->f, e, binding);
    assert_int_not_equal(formula, PLUMB_NO_FORMULA);
    assert_int_equal(plumb_csp_formula(t->f, e, binding), formula);
    for (int i = 0; i < 10; i++) {
        struct plumb_error err;
        int32_t value = 0;
        random_slots(t, rng);
        struct world w = { .slots = t->slots,
                           .before = t->slots,
                           .sequences = t->sequences,
                           .bound = bound };
        const int64_t wanted = meaning(&w, e);
        const enum plumb_status status =
            plumb_csp_formula_value(t->f, formula, t->slots, &value, &err);
        same_outcome(w.problem, status, &err, seed);
        if (!w.problem && value != wanted)
            fail_msg("seed %ju: %d, wanted %d", (uintmax_t)seed, value,
                     (int)wanted);
        *errors += w.problem != FINE;
    }
}

static void random_formulas_mean_what_they_say(void **state)
{
    struct bench t;
    unsigned errors = 0;
    (void)state;
    assert_true(set_up(&t, NULL));
    for (uint64_t seed = 0; seed < 20000; seed++) {
        struct plumb_base_rng rng;
        plumb_base_rng_seed(&rng, seed);
        try_formula(&t, &rng, seed, &errors);
    }
    print_message("%u of 200000 values are errors\n", errors);
    assert_true(errors > 1000 && errors < 150000);
    tear_down(&t);
}

/* What is written is in `writes`, what is not in `reads` does not matter. */
static void access_is_right(struct bench *t, uint32_t effect,
                            const int32_t *before, const int32_t *after,
                            uint64_t seed)
{
    uint64_t reads = 0, writes = 0;
    int32_t other[SLOTS];
    struct plumb_error err;
    plumb_csp_effect_access(t->f, effect, &reads, &writes);
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (before[i] != after[i] && !(writes >> i & 1))
            fail_msg("seed %ju: slot %u is written", (uintmax_t)seed, i);
        other[i] = (reads >> i & 1) || i >= SLOT_C ? before[i] : 77;
    }
    assert_int_equal(plumb_csp_effect_run(t->f, effect, other, &err), PLUMB_OK);
    for (uint32_t i = 0; i < SLOT_C; i++)
        if (other[i] != after[i] && (other[i] != 77 || before[i] != after[i]))
            fail_msg("seed %ju: slot %u depends on what is not read",
                     (uintmax_t)seed, i);
}

static void try_effect(struct bench *t, struct plumb_base_rng *rng,
                       uint64_t seed, unsigned *errors)
{
    struct maker k = { .rng = rng, .locals = true };
    const struct plumb_csp_expr *bound[LOCALS];
    plumb_csp_binding binding[LOCALS];
    struct plumb_csp_program program = { .temps = 8 };
    pool_clear();
    random_bindings(t, &k, bound, binding);
    k.temps = true;
    program.first = random_block(&k, 3);
    const uint32_t effect = plumb_csp_effect(t->f, &program, binding);
    assert_int_not_equal(effect, PLUMB_NO_FORMULA);
    assert_int_equal(plumb_csp_effect(t->f, &program, binding), effect);
    for (int i = 0; i < 5; i++) {
        struct plumb_error err;
        int32_t before[SLOTS], wanted[SLOTS];
        random_slots(t, rng);
        memcpy(before, t->slots, sizeof before);
        memcpy(wanted, t->slots, sizeof before);
        struct world w = { .slots = wanted,
                           .before = before,
                           .sequences = t->sequences,
                           .bound = bound };
        do_statements(&w, program.first);
        const enum plumb_status status =
            plumb_csp_effect_run(t->f, effect, t->slots, &err);
        same_outcome(w.problem, status, &err, seed);
        *errors += w.problem != FINE;
        if (w.problem)
            continue;
        if (memcmp(wanted, t->slots, sizeof wanted) != 0)
            fail_msg("seed %ju: other slots", (uintmax_t)seed);
        access_is_right(t, effect, before, wanted, seed);
    }
}

static void random_programs_do_what_they_say(void **state)
{
    struct bench t;
    unsigned errors = 0;
    (void)state;
    assert_true(set_up(&t, NULL));
    for (uint64_t seed = 0; seed < 20000; seed++) {
        struct plumb_base_rng rng;
        plumb_base_rng_seed(&rng, seed);
        try_effect(&t, &rng, seed, &errors);
    }
    print_message("%u of 100000 runs are errors\n", errors);
    assert_true(errors > 1000 && errors < 80000);
    tear_down(&t);
}

/* ---- memory ---- */

static void use_everything(struct plumb_budget *budget)
{
    struct bench t;
    struct plumb_base_rng rng;
    plumb_base_rng_seed(&rng, 5);
    if (set_up(&t, budget)) {
        struct maker k = { .rng = &rng, .temps = true };
        for (int i = 0; i < 30; i++) {
            struct plumb_csp_program program = { .temps = 8 };
            struct plumb_error err;
            pool_clear();
            plumb_csp_binding x[] = { plumb_csp_formula(t.f, variable(VAR_X),
                                                        NULL) };
            program.first = random_block(&k, 3);
            program.first = then(
                assign(element(VAR_A, local(0)), local(0)),
                then(assign(variable(VAR_X), constant(2)),
                     then(assign(variable(VAR_Y), local(0)), program.first)));
            if (x[0] == PLUMB_NO_FORMULA)
                break;
            const uint32_t effect = plumb_csp_effect(t.f, &program, x);
            if (effect == PLUMB_NO_FORMULA ||
                plumb_csp_effect_run(t.f, effect, t.slots, &err) ==
                    PLUMB_EMEMORY)
                break;
        }
    }
    tear_down(&t);
}

static void refused_memory_is_survived(void **state)
{
    (void)state;
    for (size_t nth = 1;; nth++) {
        struct plumb_budget *const budget = plumb_budget_new(0, 0);
        plumb_base_budget_fail_at(budget, nth);
        use_everything(budget);
        assert_int_equal(plumb_budget_used(budget), 0);
        const bool failed = plumb_base_budget_has_failed(budget);
        plumb_budget_free(budget);
        if (!failed)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_formulas_are_one_number),
        cmocka_unit_test(nothing_is_folded_that_fails),
        cmocka_unit_test(what_does_not_fit_is_an_error),
        cmocka_unit_test(indices_are_checked),
        cmocka_unit_test(ranges_are_kept),
        cmocka_unit_test(a_loop_without_end_is_an_error),
        cmocka_unit_test(other_files_are_named),
        cmocka_unit_test(what_is_not_bound_cannot_be_used),
        cmocka_unit_test(functions_take_values_and_arrays),
        cmocka_unit_test(imported_functions_are_called_as_they_are_written),
        cmocka_unit_test(channels_are_asked),
        cmocka_unit_test(access_is_exact_for_constant_indices),
        cmocka_unit_test(locals_are_about_the_state_before),
        cmocka_unit_test(text_is_as_written),
        cmocka_unit_test(deep_expressions_are_refused),
        cmocka_unit_test(random_formulas_mean_what_they_say),
        cmocka_unit_test(random_programs_do_what_they_say),
        cmocka_unit_test(refused_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
