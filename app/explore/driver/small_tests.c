/* small_tests.c - every small test of an object, one after the other.
 *
 * A test is a number: its digits are choices, the first that of the operation
 * before all threads, then those of thread 0, of thread 1, ...  Counting up
 * goes through all of them.  Left out are those with an operation that its
 * thread may not invoke, and those whose threads are not in order: threads are
 * alike, but for the first of an object that tells it from others. */
#include "small_tests.h"

#include "record/menu.h"
#include "record/script.h"
#include "scenario.h"
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_DIGITS = 1 + 8,
    MOST_CHOICES = 64,
    MOST_WORD = 128,
    MOST_NUMBERS = 100000 /* to be gone through; more are too many */
};

struct choice {
    struct plumb_operation operation;
    char word[PLUMB_MAX_ARGUMENTS][MOST_WORD];
};

struct explore_small_tests {
    struct explore_small_size size;
    struct choice choice[MOST_CHOICES];
    unsigned choices;
    bool too_many; /* choices, or numbers */
    bool begun;
    unsigned differ;             /* threads before those that are alike */
    unsigned digit[MOST_DIGITS]; /* the first is 0 if nothing comes before */
};

/* ---- choices ---- */

/* Word number n of a text; false if there are not so many. */
static bool copy_word(const char *words, unsigned n, char to[MOST_WORD])
{
    size_t length = 0;
    for (;;) {
        while (isspace((unsigned char)*words))
            words++;
        for (length = 0; words[length]; length++)
            if (isspace((unsigned char)words[length]))
                break;
        if (n-- == 0)
            break;
        words += length;
    }
    if (length == 0 || length >= MOST_WORD)
        return false;
    memcpy(to, words, length);
    to[length] = '\0';
    return true;
}

/* Value n alone; false if there are not so many. */
static bool narrow(struct choice *c, unsigned argument, unsigned n)
{
    struct plumb_domain *const d = &c->operation.args[argument];
    switch (d->kind) {
    case PLUMB_DOMAIN_RANGE:
        if (n > (uint64_t)d->high - (uint64_t)d->low)
            return false;
        d->low += (int64_t)n;
        d->high = d->low;
        return true;
    case PLUMB_DOMAIN_ONE_OF:
        return copy_word(d->words, n, c->word[argument]);
    default:
        return n == 0; /* none, or what the next number is */
    }
}

/* Values are digits, too: to the base of the width. */
static void add_operation(struct explore_small_tests *s,
                          const struct plumb_operation *o)
{
    unsigned combinations = 1;
    for (unsigned i = 0; i < PLUMB_MAX_ARGUMENTS; i++)
        combinations *= s->size.width;
    for (unsigned k = 0; k < combinations; k++) {
        struct choice c = { .operation = *o };
        unsigned rest = k;
        bool good = true;
        for (unsigned i = 0; i < PLUMB_MAX_ARGUMENTS; i++) {
            good = good && narrow(&c, i, rest % s->size.width);
            rest /= s->size.width;
        }
        if (good && s->choices == MOST_CHOICES)
            s->too_many = true;
        else if (good)
            s->choice[s->choices++] = c;
    }
}

/* When they lie where they stay. */
static void point_to_words(struct explore_small_tests *s)
{
    for (unsigned i = 0; i < s->choices; i++)
        for (unsigned k = 0; k < PLUMB_MAX_ARGUMENTS; k++)
            if (s->choice[i].operation.args[k].kind == PLUMB_DOMAIN_ONE_OF)
                s->choice[i].operation.args[k].words = s->choice[i].word[k];
}

static void find_choices(struct explore_small_tests *s,
                         const struct plumb_object *o)
{
    for (unsigned i = 0; i < plumb_record_object_size(o); i++)
        add_operation(s, &o->operations[i]);
    point_to_words(s);
}

/* ---- numbers ---- */

static unsigned digits(const struct explore_small_tests *s)
{
    return 1 + s->size.threads * s->size.ops;
}

/* False: it begins anew. */
static bool count_up(struct explore_small_tests *s)
{
    for (unsigned i = digits(s); i-- > 0;) {
        const unsigned values = i              ? s->choices
                                : s->size.init ? s->choices + 1
                                               : 1;
        if (++s->digit[i] < values)
            return true;
        s->digit[i] = i || !s->size.init ? 0 : 1;
    }
    return false;
}

static void find_too_many(struct explore_small_tests *s)
{
    uint64_t numbers = s->size.init ? s->choices : 1;
    for (unsigned i = 1; i < digits(s) && numbers <= MOST_NUMBERS; i++)
        numbers *= s->choices;
    s->too_many = s->too_many || numbers > MOST_NUMBERS;
}

static bool everyone_may(const struct explore_small_tests *s)
{
    for (unsigned t = 0; t < s->size.threads; t++)
        for (unsigned k = 0; k < s->size.ops; k++)
            if (!plumb_record_may_invoke(explore_small_tests_choice(s, t, k),
                                         t))
                return false;
    return true;
}

static int compare_threads(const struct explore_small_tests *s, unsigned a,
                           unsigned b)
{
    const unsigned *const x = &s->digit[1 + a * s->size.ops];
    const unsigned *const y = &s->digit[1 + b * s->size.ops];
    for (unsigned k = 0; k < s->size.ops; k++)
        if (x[k] != y[k])
            return x[k] < y[k] ? -1 : 1;
    return 0;
}

static bool threads_are_in_order(const struct explore_small_tests *s)
{
    for (unsigned t = s->differ; t + 1 < s->size.threads; t++)
        if (compare_threads(s, t, t + 1) > 0)
            return false;
    return true;
}

/* Whoever may invoke it: nobody else is there. */
static bool begins_well(const struct explore_small_tests *s)
{
    const struct plumb_operation *const o = explore_small_tests_init(s);
    return !o || o->args[0].kind != PLUMB_DOMAIN_NONE;
}

/* ---- the outside ---- */

const struct plumb_operation *explore_small_tests_init(
    const struct explore_small_tests *s)
{
    return s->digit[0] ? &s->choice[s->digit[0] - 1].operation : NULL;
}

const struct plumb_operation *explore_small_tests_choice(
    const struct explore_small_tests *s, unsigned thread, unsigned position)
{
    return &s->choice[s->digit[1 + thread * s->size.ops + position]].operation;
}

bool explore_small_tests_next(struct explore_small_tests *s)
{
    if (s->too_many || s->choices == 0)
        return false;
    do {
        if (s->begun && !count_up(s))
            return false;
        s->begun = true;
    } while (!begins_well(s) || !everyone_may(s) || !threads_are_in_order(s));
    return true;
}

unsigned explore_small_tests_count(const struct explore_small_tests *s,
                                   unsigned most)
{
    struct explore_small_tests *const all = malloc(sizeof *all);
    unsigned count = 0;
    if (!all || s->too_many) {
        free(all);
        return most + 1;
    }
    *all = *s;
    while (count <= most && explore_small_tests_next(all))
        count++;
    free(all);
    return count;
}

struct explore_small_tests *explore_small_tests_open(
    const struct plumb_object *object, const struct explore_small_size *size)
{
    assert(size->width > 0 && 1 + size->threads * size->ops <= MOST_DIGITS);
    struct explore_small_tests *const s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->size = *size;
    s->digit[0] = size->init;
    s->differ = explore_threads_differ(object);
    find_choices(s, object);
    find_too_many(s);
    return s;
}

void explore_small_tests_close(struct explore_small_tests *s)
{
    free(s);
}
