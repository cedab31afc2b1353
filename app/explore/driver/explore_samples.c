/* explore_samples.c - tests of what an object offers: all small ones, then some
 * drawn by chance. */
#include "explore_samples.h"

#include "base/rng.h"
#include "base/text.h"
#include "record/menu.h"
#include "record/script.h"
#include "scenario.h"
#include "small_tests.h"
#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_THREADS = 64,
    TRIES = 200,       /* for one that was not there before         */
    SMALLER_SHARE = 8, /* every smaller size gets 1/8 of the number */
    FEWEST_SMALLER = 2,
    MOST_OF_A_SIZE = 48, /* if there are more, they are not all run */
    MOST_WIDTH = 2       /* values of an argument, if all are run   */
};

/* What one thread does, or what is done before all; and how it is known again. */
struct part {
    struct plumb_base_text text, key;
};

struct drawing {
    struct plumb_record_menu menu,
        opening; /* for the threads, and before them */
    struct plumb_object object, filling;
    const struct plumb_object *whole; /* with all values                  */
    unsigned drawn, init;
    bool unequal; /* some tests have threads that are */
    bool fill;    /* there is something before the next one */
    struct plumb_base_rng rng;
    struct explore_samples *samples;
    const char **key; /* of each sample, for noticing that it was there */
    unsigned room;
    unsigned differ; /* threads before those that are alike */
    struct part thread[MOST_THREADS], before;
};

/* ---- one operation ---- */

static bool is_plain_word(const char *text)
{
    if (!strcmp(text, "true") || !strcmp(text, "false") || !strcmp(text, "nil"))
        return false;
    if (!isalpha((unsigned char)*text))
        return false;
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && *text != '_')
            return false;
    return true;
}

static void add_word(struct plumb_base_text *t, const char *text)
{
    if (is_plain_word(text)) {
        plumb_base_text_add(t, text);
        return;
    }
    plumb_base_text_add(t, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            plumb_base_text_printf(t, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            plumb_base_text_printf(t, "\\x%02x", (unsigned char)*text);
        else
            plumb_base_text_bytes(t, text, 1);
    }
    plumb_base_text_add(t, "\"");
}

static bool is_fresh(const struct plumb_record_menu *m,
                     const struct plumb_record_entry *e, unsigned argument)
{
    const enum plumb_domain_kind kind =
        m->object->operations[e->operation].args[argument].kind;
    return kind == PLUMB_DOMAIN_FRESH || kind == PLUMB_DOMAIN_FRESH_TEXT;
}

/* In a key all fresh values are alike. */
static void add_operation(const struct plumb_record_menu *m,
                          const struct plumb_record_entry *e, bool key,
                          struct plumb_base_text *t)
{
    plumb_base_text_printf(t, "%s%s(", t->size ? " " : "",
                           m->object->operations[e->operation].name);
    for (unsigned i = 0; i < e->nargs; i++) {
        plumb_base_text_add(t, i ? "," : "");
        if (key && is_fresh(m, e, i))
            plumb_base_text_add(t, "*");
        else if (e->value[i].tag == PLUMB_INT)
            plumb_base_text_printf(t, "%" PRId64, (int64_t)e->value[i].bits);
        else
            add_word(t, e->text + e->value[i].bits);
    }
    plumb_base_text_add(t, ")");
}

static void add_to_part(const struct plumb_record_menu *m,
                        const struct plumb_record_entry *e, struct part *p)
{
    add_operation(m, e, false, &p->text);
    add_operation(m, e, true, &p->key);
}

static void clear_part(struct part *p)
{
    plumb_base_text_clear(&p->text);
    plumb_base_text_clear(&p->key);
}

static void release_part(struct part *p)
{
    plumb_base_text_release(&p->text);
    plumb_base_text_release(&p->key);
}

/* By chance. */
static void draw_part(struct drawing *d, const struct plumb_record_menu *m,
                      unsigned process, unsigned ops, struct part *p)
{
    struct plumb_record_guest g = { .process = process, .rng = d->rng };
    struct plumb_record_entry e;
    while (ops-- && plumb_record_menu_choose(m, &g, &e))
        add_to_part(m, &e, p);
    d->rng = g.rng;
}

/* ---- of few values ---- */

static void narrow(struct plumb_domain *d, unsigned width)
{
    if (d->kind == PLUMB_DOMAIN_RANGE && d->high - d->low >= (int64_t)width)
        d->high = d->low + (int64_t)width - 1;
}

/* The object as the next test sees it. */
static void draw_domains(struct drawing *d)
{
    static const unsigned widths[] = { 2, 3, UINT16_MAX };
    const unsigned width =
        widths[d->drawn / 2 % (sizeof widths / sizeof *widths)];
    const struct plumb_object *const whole = d->whole;
    for (unsigned i = 0; i < plumb_record_object_size(whole); i++)
        for (unsigned n = 0; n < PLUMB_MAX_ARGUMENTS; n++) {
            d->object.operations[i].args[n] = whole->operations[i].args[n];
            if (width < UINT16_MAX)
                narrow(&d->object.operations[i].args[n], width);
        }
}

/* ---- what comes before ---- */

/* Nobody else is there, so whoever it is may do it. */
static void find_filling(struct drawing *d)
{
    unsigned n = 0;
    d->filling = d->object;
    memset(d->filling.operations, 0, sizeof d->filling.operations);
    for (unsigned i = 0; i < plumb_record_object_size(&d->object); i++)
        if (d->object.operations[i].args[0].kind != PLUMB_DOMAIN_NONE) {
            d->filling.operations[n] = d->object.operations[i];
            d->filling.operations[n++].by = PLUMB_BY_ANY;
        }
}

/* Fresh values of a process that would come before the first are 1, 2, ... */
static void draw_init(struct drawing *d)
{
    clear_part(&d->before);
    find_filling(d);
    plumb_record_menu_init(&d->opening, &d->filling,
                           (unsigned)d->menu.base - 1);
    if (!d->init || !d->fill)
        return;
    const unsigned ops = 1 + plumb_base_rng_below(&d->rng, d->init);
    draw_part(d, &d->opening, UINT32_MAX, ops, &d->before);
}

/* ---- one test ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Threads one after the other; in the key, in an order of its own. */
static void join(const struct drawing *d, unsigned threads, bool key,
                 struct plumb_base_text *out)
{
    const char *text[MOST_THREADS];
    const unsigned fixed = d->differ < threads ? d->differ : threads;
    for (unsigned i = 0; i < threads; i++)
        text[i] = plumb_base_text_string(key ? &d->thread[i].key
                                             : &d->thread[i].text);
    if (key)
        qsort(text + fixed, threads - fixed, sizeof *text, by_text);
    for (unsigned i = 0; i < threads; i++)
        plumb_base_text_printf(out, "%s%s", i ? " | " : "", text[i]);
}

static bool was_there(const struct drawing *d, const char *key)
{
    for (unsigned i = 0; i < d->samples->count; i++)
        if (strcmp(d->key[i], key) == 0)
            return true;
    return false;
}

static const char *copy(struct drawing *d, const struct plumb_base_text *t)
{
    return plumb_base_arena_copy(&d->samples->arena, plumb_base_text_string(t),
                                 t->size + 1);
}

static bool keep(struct drawing *d, const struct plumb_base_text *test,
                 const struct plumb_base_text *key)
{
    struct explore_samples *const s = d->samples;
    const unsigned n = s->count;
    s->test[n] = copy(d, test);
    s->init[n] = copy(d, &d->before.text);
    d->key[n] = copy(d, key);
    const bool kept = s->test[n] && s->init[n] && d->key[n];
    s->count += kept;
    return kept;
}

enum drawn { DRAWN, NONE_LEFT, NO_MEMORY };

/* What the threads and what comes before them are now; NONE_LEFT if it was
 * there. */
static enum drawn keep_new(struct drawing *d, unsigned threads)
{
    struct plumb_base_text test, key;
    enum drawn result = NONE_LEFT;
    plumb_base_text_init(&test, NULL);
    plumb_base_text_init(&key, NULL);
    join(d, threads, false, &test);
    plumb_base_text_printf(&key, "%s / ",
                           plumb_base_text_string(&d->before.key));
    join(d, threads, true, &key);
    if (test.broken || key.broken || d->before.text.broken)
        result = NO_MEMORY;
    else if (!was_there(d, plumb_base_text_string(&key)))
        result = keep(d, &test, &key) ? DRAWN : NO_MEMORY;
    plumb_base_text_release(&test);
    plumb_base_text_release(&key);
    return result;
}

/* Every third one has unequal threads: one of them does more than others do,
 * which do one thing each; in all no more than if all were equal. */
static unsigned ops_of(const struct drawing *d, unsigned thread,
                       unsigned threads, unsigned ops)
{
    const bool unequal = d->unequal && d->drawn % 3 == 2 && threads > 1;
    if (!unequal || ops < 2)
        return ops;
    return thread == d->drawn / 3 % threads ? ops + 1 : 1;
}

static enum drawn draw_test(struct drawing *d, unsigned threads, unsigned ops)
{
    enum drawn result = NONE_LEFT;
    for (unsigned n = 0; n < TRIES && result == NONE_LEFT; n++) {
        draw_domains(d);
        d->fill = (d->drawn + 2 * n / TRIES) % 2; /* none left: the others */
        draw_init(d);
        for (unsigned i = 0; i < threads; i++) {
            clear_part(&d->thread[i]);
            draw_part(d, &d->menu, i, ops_of(d, i, threads, ops),
                      &d->thread[i]);
        }
        result = keep_new(d, threads);
    }
    if (result == DRAWN)
        d->drawn++;
    return result;
}

/* ---- all small ones ---- */

/* There is nothing left to choose. */
static void add_choice(struct drawing *d, const struct plumb_operation *o,
                       struct plumb_record_guest g, struct part *p)
{
    struct plumb_object *const only = &d->filling;
    struct plumb_record_entry e;
    memset(only->operations, 0, sizeof only->operations);
    only->operations[0] = *o;
    only->operations[0].by = PLUMB_BY_ANY;
    plumb_record_menu_init(&d->opening, only, (unsigned)d->menu.base - 1);
    if (plumb_record_menu_choose(&d->opening, &g, &e))
        add_to_part(&d->opening, &e, p);
}

static enum drawn keep_small(struct drawing *d,
                             const struct explore_small_tests *s,
                             const struct explore_small_size *size)
{
    const struct plumb_operation *const before = explore_small_tests_init(s);
    struct plumb_record_guest g = { .process = UINT32_MAX };
    clear_part(&d->before);
    if (before)
        add_choice(d, before, g, &d->before);
    for (g.process = 0; g.process < size->threads; g.process++) {
        struct part *const thread = &d->thread[g.process];
        clear_part(thread);
        for (unsigned k = 0; k < size->ops; k++) {
            g.position = k;
            add_choice(d, explore_small_tests_choice(s, g.process, k), g,
                       thread);
        }
    }
    return keep_new(d, size->threads);
}

/* With as many values as leave them few; or none at all. */
static enum drawn keep_all_of(struct drawing *d, struct explore_small_size size)
{
    enum drawn result = DRAWN;
    bool done = false;
    for (size.width = MOST_WIDTH; size.width > 0 && !done; size.width--) {
        struct explore_small_tests *const s =
            explore_small_tests_open(d->whole, &size);
        if (!s)
            return NO_MEMORY;
        done = explore_small_tests_count(s, MOST_OF_A_SIZE) <= MOST_OF_A_SIZE;
        while (done && d->samples->count < d->room && result != NO_MEMORY &&
               explore_small_tests_next(s))
            result = keep_small(d, s, &size);
        explore_small_tests_close(s);
    }
    return result;
}

static bool keep_all_small(struct drawing *d,
                           const struct explore_samples_wanted *w)
{
    static const struct explore_small_size sizes[] = {
        { .threads = 2, .ops = 1 },
        { .threads = 3, .ops = 1 },
        { .threads = 2, .ops = 2 },
    };
    d->room = w->small;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (unsigned init = 0; init <= (w->init > 0); init++) {
            struct explore_small_size size = sizes[i];
            size.init = init;
            if (size.threads <= w->threads && size.ops <= w->ops &&
                keep_all_of(d, size) == NO_MEMORY)
                return false;
        }
    d->samples->small = d->samples->count;
    return true;
}

/* ---- all of them ---- */

static enum drawn draw_size(struct drawing *d, unsigned threads, unsigned ops,
                            unsigned count)
{
    enum drawn result = DRAWN;
    while (count-- && d->samples->count < d->room && result == DRAWN)
        result = draw_test(d, threads, ops);
    return result;
}

/* By their number of operations, then of threads. */
static bool draw_all(struct drawing *d, const struct explore_samples_wanted *w)
{
    assert(w->threads > 0 && w->ops > 0);
    if (!keep_all_small(d, w))
        return false;
    d->room = d->samples->small + w->count;
    const unsigned fewest = w->threads < 2 ? w->threads : 2;
    unsigned share = w->count / SMALLER_SHARE;
    if (share < FEWEST_SMALLER)
        share = FEWEST_SMALLER;
    for (unsigned size = fewest; size < w->threads * w->ops; size++)
        for (unsigned threads = fewest; threads <= w->threads; threads++)
            if (size % threads == 0 && size / threads <= w->ops &&
                d->drawn + 1 < w->count &&
                draw_size(d, threads, size / threads, share) == NO_MEMORY)
                return false;
    if (draw_size(d, w->threads, w->ops, w->count) == NO_MEMORY)
        return false;
    d->room += w->more;
    return draw_size(d, w->threads, w->ops, w->more) != NO_MEMORY;
}

static void release_drawing(struct drawing *d)
{
    for (unsigned i = 0; i < MOST_THREADS; i++)
        release_part(&d->thread[i]);
    release_part(&d->before);
    free(d);
}

bool explore_samples_draw(struct explore_samples *s,
                          const struct plumb_object *object,
                          const struct explore_samples_wanted *wanted)
{
    struct drawing *const d = calloc(1, sizeof *d);
    const size_t most = (size_t)wanted->small + wanted->count + wanted->more;
    *s = (struct explore_samples){ .count = 0 };
    plumb_base_arena_init(&s->arena, NULL);
    if (!d)
        return false;
    d->samples = s;
    d->differ = explore_threads_differ(object);
    d->whole = object;
    d->object = *object;
    d->init = wanted->init;
    s->test = plumb_base_arena_alloc(&s->arena, most * sizeof *s->test);
    s->init = plumb_base_arena_alloc(&s->arena, most * sizeof *s->init);
    d->key = plumb_base_arena_alloc(&s->arena, most * sizeof *d->key);
    d->unequal = wanted->unequal;
    const unsigned longest = wanted->ops + wanted->unequal;
    plumb_record_menu_init(&d->menu, &d->object,
                           longest > wanted->init ? longest : wanted->init);
    plumb_base_rng_seed(&d->rng, wanted->seed);
    const bool done = s->test && s->init && d->key && draw_all(d, wanted);
    release_drawing(d);
    if (!done)
        explore_samples_release(s);
    return done;
}

void explore_samples_release(struct explore_samples *s)
{
    plumb_base_arena_release(&s->arena);
    *s = (struct explore_samples){ .count = 0 };
}
