/* matrices.c - see matrices.h. */
#include "matrices.h"

#include "app/explore/driver/scenario.h"
#include "base/fail.h"
#include "base/number_lists.h"
#include "base/rng.h"
#include "record/menu.h"
#include "record/script.h"
#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_INVOCATIONS = 256, /* of one operation */
    MOST_SEQUENCES = 64,
    MOST_CELLS = JOB_OPERATIONS,
    MOST_VALUES = 16,        /* of an argument */
    TRIES = 30,              /* for each matrix there is, ... */
    MOST_MATRICES = 1 << 18, /* ... or that many */
    MOST_UNWRITTEN = 10000   /* tests whose text is too long */
};

/* One operation with values, or a sequence as it was given. */
struct invocation {
    const struct plumb_operation *operation; /* NULL: a sequence */
    unsigned value[PLUMB_MAX_ARGUMENTS];     /* their numbers    */
    const char *sequence;
    unsigned operations;
    bool by[3]; /* may the first thread, the second, and others invoke it? */
};

struct explore_matrices {
    struct plumb_object object;
    unsigned differ; /* threads before those that are alike */
    struct invocation invocation[MOST_INVOCATIONS + MOST_SEQUENCES];
    unsigned count, sequences;
    unsigned longest;           /* so many operations has the longest of them */
    char *text[MOST_SEQUENCES]; /* of those */
    /* AutoCheck: the test that comes next, as digits. */
    unsigned n;
    uint32_t digit[MOST_CELLS];
};

/* ---- invocations ---- */

static unsigned count_words(const char *words)
{
    unsigned count = 0;
    for (bool inside = false; *words; words++) {
        const bool space = isspace((unsigned char)*words);
        count += !space && !inside;
        inside = !space;
    }
    return count;
}

static unsigned count_values(const struct plumb_domain *d)
{
    uint64_t count = 1;
    if (d->kind == PLUMB_DOMAIN_RANGE)
        count = (uint64_t)d->high - (uint64_t)d->low + 1;
    if (d->kind == PLUMB_DOMAIN_ONE_OF)
        count = count_words(d->words);
    return count && count < MOST_VALUES ? (unsigned)count : MOST_VALUES;
}

static bool add(struct explore_matrices *m, const struct invocation *i)
{
    if (m->count < MOST_INVOCATIONS)
        m->invocation[m->count++] = *i;
    return m->count < MOST_INVOCATIONS;
}

/* All combinations of values, the largest of whose numbers is `level`. */
static void add_operation(struct explore_matrices *m,
                          const struct plumb_operation *o, unsigned level)
{
    struct invocation i = { .operation = o,
                            .operations = 1,
                            .by = { plumb_record_may_invoke(o, 0),
                                    plumb_record_may_invoke(o, 1),
                                    plumb_record_may_invoke(o, 2) } };
    unsigned most[PLUMB_MAX_ARGUMENTS], arity = 0;
    while (arity < PLUMB_MAX_ARGUMENTS &&
           o->args[arity].kind != PLUMB_DOMAIN_NONE) {
        most[arity] = count_values(&o->args[arity]);
        arity++;
    }
    for (bool more = true; more;) {
        unsigned largest = 0;
        for (unsigned k = 0; k < arity; k++)
            largest = i.value[k] > largest ? i.value[k] : largest;
        if (largest == level && !add(m, &i))
            return;
        unsigned k = 0;
        while (k < arity && (++i.value[k] >= most[k] || i.value[k] > level))
            i.value[k++] = 0;
        more = k < arity;
    }
}

static void list_operations(struct explore_matrices *m)
{
    const unsigned operations = plumb_record_object_size(&m->object);
    for (unsigned level = 0; level < MOST_VALUES; level++)
        for (unsigned k = 0; k < operations; k++)
            add_operation(m, &m->object.operations[k], level);
}

/* Who may invoke all of it. */
static void find_callers(const struct explore_matrices *m,
                         const struct plumb_record_script *s,
                         struct invocation *i)
{
    for (size_t k = 0; k < s->count; k++) {
        const struct plumb_operation *const o =
            &m->object.operations[s->step[k].operation];
        for (unsigned t = 0; t < 3; t++)
            i->by[t] &= plumb_record_may_invoke(o, t);
    }
}

static enum plumb_status add_sequence(struct explore_matrices *m,
                                      const char *text, size_t length,
                                      struct plumb_error *err)
{
    struct plumb_record_script s;
    struct invocation i = { .by = { true, true, true } };
    if (m->sequences == MOST_SEQUENCES)
        return plumb_base_fail(err, PLUMB_EINPUT, 0, 0,
                               "there are more than %d sequences",
                               MOST_SEQUENCES);
    char *const copy = strndup(text, length);
    if (!copy)
        return plumb_base_fail_memory(err);
    m->text[m->sequences++] = copy;
    const enum plumb_status status =
        plumb_record_script_parse(&s, copy, &m->object, err);
    if (status != PLUMB_OK)
        return status;
    const unsigned processes = s.processes;
    i.sequence = copy;
    i.operations = (unsigned)s.count;
    find_callers(m, &s, &i);
    plumb_record_script_release(&s);
    if (processes != 1)
        return plumb_base_fail(err, PLUMB_EINPUT, 0, 0,
                               "a sequence is of one thread: separate "
                               "sequences with ;");
    if (i.operations > JOB_OPERATIONS)
        return plumb_base_fail(err, PLUMB_EINPUT, 0, 0,
                               "a sequence has %u operations; a test has at "
                               "most %d",
                               i.operations, JOB_OPERATIONS);
    if (i.operations > m->longest)
        m->longest = i.operations;
    m->invocation[m->count++] = i;
    return PLUMB_OK;
}

/* Up to a semicolon that is not part of a quoted text. */
static size_t length_of_sequence(const char *text)
{
    bool quoted = false;
    size_t i = 0;
    for (; text[i] && (quoted || text[i] != ';'); i++) {
        if (text[i] == '"')
            quoted = !quoted;
        i += quoted && text[i] == '\\' && text[i + 1];
    }
    return i;
}

enum plumb_status explore_matrices_add(struct explore_matrices *m,
                                       const char *sequences,
                                       struct plumb_error *err)
{
    enum plumb_status status = PLUMB_OK;
    while (status == PLUMB_OK && *sequences) {
        const size_t length = length_of_sequence(sequences);
        if (strspn(sequences, " \t\n") < length)
            status = add_sequence(m, sequences, length, err);
        sequences += length + (sequences[length] == ';');
    }
    return status;
}

struct explore_matrices *explore_matrices_open(
    const struct plumb_object *object)
{
    struct explore_matrices *const m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->object = *object;
    m->longest = 1;
    m->differ = explore_threads_differ(object);
    list_operations(m);
    return m;
}

void explore_matrices_close(struct explore_matrices *m)
{
    for (unsigned i = 0; m && i < m->sequences; i++)
        free(m->text[i]);
    free(m);
}

/* ---- a test as text ---- */

/* The next fresh value of a thread. */
struct fresh {
    unsigned next;
};

/* 11, 12, ... of the first thread, 21, ... of the second; or 1001, ... where
 * there may be ten of one thread. */
static struct fresh fresh_of(const struct explore_matrices *m, unsigned thread,
                             unsigned ops)
{
    unsigned most = 0;
    for (unsigned i = 0; i < m->count; i++)
        if (m->invocation[i].operation) {
            const unsigned arity =
                plumb_record_operation_arity(m->invocation[i].operation);
            most = arity > most ? arity : most;
        }
    return (struct fresh){ (thread + 1) * (most * ops < 10 ? 10 : 1000) + 1 };
}

static void add_value(struct plumb_base_text *out, const struct plumb_domain *d,
                      unsigned value)
{
    if (d->kind == PLUMB_DOMAIN_RANGE) {
        plumb_base_text_printf(out, "%" PRId64, d->low + (int64_t)value);
        return;
    }
    const char *word = d->words;
    for (;; word += strcspn(word, " \t\n")) {
        word += strspn(word, " \t\n");
        if (value-- == 0)
            break;
    }
    plumb_base_text_bytes(out, word, strcspn(word, " \t\n"));
}

static void add_invocation(struct plumb_base_text *out,
                           const struct invocation *i, struct fresh *fresh)
{
    const struct plumb_operation *const o = i->operation;
    if (!o) {
        plumb_base_text_add(out, i->sequence + strspn(i->sequence, " \t\n"));
        return;
    }
    plumb_base_text_printf(out, "%s(", o->name);
    for (unsigned k = 0;
         k < PLUMB_MAX_ARGUMENTS && o->args[k].kind != PLUMB_DOMAIN_NONE; k++) {
        plumb_base_text_add(out, k ? "," : "");
        if (o->args[k].kind == PLUMB_DOMAIN_FRESH)
            plumb_base_text_printf(out, "%u", fresh->next++);
        else if (o->args[k].kind == PLUMB_DOMAIN_FRESH_TEXT)
            plumb_base_text_printf(out, "t%u", fresh->next++);
        else
            add_value(out, &o->args[k], i->value[k]);
    }
    plumb_base_text_add(out, ")");
}

/* False: it is longer than a test may be, or memory is used up. */
static bool write_test(const struct explore_matrices *m, const uint32_t *cell,
                       unsigned threads, unsigned ops,
                       struct plumb_base_text *out)
{
    unsigned operations = 0;
    plumb_base_text_clear(out);
    for (unsigned t = 0; t < threads; t++) {
        struct fresh fresh = fresh_of(m, t, ops);
        plumb_base_text_add(out, t ? " | " : "");
        for (unsigned k = 0; k < ops; k++) {
            plumb_base_text_add(out, k ? " " : "");
            add_invocation(out, &m->invocation[cell[t * ops + k]], &fresh);
            operations += m->invocation[cell[t * ops + k]].operations;
        }
    }
    return operations <= JOB_OPERATIONS && out->size < JOB_TEXT && !out->broken;
}

/* ---- which are the same ---- */

static int compare_threads(const uint32_t *a, const uint32_t *b, unsigned ops)
{
    for (unsigned k = 0; k < ops; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

/* By insertion: they are few. */
static void sort_threads(uint32_t *cell, unsigned from, unsigned threads,
                         unsigned ops)
{
    for (unsigned t = from + 1; t < threads; t++)
        for (unsigned u = t;
             u > from &&
             compare_threads(cell + (u - 1) * ops, cell + u * ops, ops) > 0;
             u--)
            for (unsigned k = 0; k < ops; k++) {
                const uint32_t kept = cell[(u - 1) * ops + k];
                cell[(u - 1) * ops + k] = cell[u * ops + k];
                cell[u * ops + k] = kept;
            }
}

static bool may_invoke(const struct invocation *i, unsigned thread)
{
    return i->by[thread < 2 ? thread : 2];
}

/* ---- RandomCheck ---- */

/* [c][room]: in how many ways the cells from c on can be filled with at most so
 * many operations. */
struct ways {
    double of[MOST_CELLS + 1][JOB_OPERATIONS + 1];
    unsigned cells, ops;
};

static void count_ways(const struct explore_matrices *m, struct ways *w)
{
    for (unsigned room = 0; room <= JOB_OPERATIONS; room++)
        w->of[w->cells][room] = 1;
    for (unsigned c = w->cells; c-- > 0;)
        for (unsigned room = 0; room <= JOB_OPERATIONS; room++) {
            w->of[c][room] = 0;
            for (unsigned k = 0; k < m->count; k++) {
                const struct invocation *const i = &m->invocation[k];
                if (may_invoke(i, c / w->ops) && i->operations <= room)
                    w->of[c][room] += w->of[c + 1][room - i->operations];
            }
        }
}

/* After so many tests that were there before there is no other: each was missed
 * with a probability of e^-TRIES. */
static unsigned tries_for(const struct ways *w)
{
    const double matrices = w->of[0][JOB_OPERATIONS];
    return TRIES * (matrices < MOST_MATRICES ? (unsigned)matrices
                                             : (unsigned)MOST_MATRICES);
}

static unsigned count_allowed(const struct explore_matrices *m, unsigned thread)
{
    unsigned allowed = 0;
    for (unsigned i = 0; i < m->count; i++)
        allowed += may_invoke(&m->invocation[i], thread);
    return allowed;
}

/* Any invocation that the thread may call. */
static uint32_t draw_any(const struct explore_matrices *m,
                         struct plumb_base_rng *rng, unsigned thread)
{
    unsigned left = plumb_base_rng_below(rng, count_allowed(m, thread));
    uint32_t k = 0;
    while (!may_invoke(&m->invocation[k], thread) || left-- > 0)
        k++;
    return k;
}

/* One that leaves room for the others, each as often as there are matrices with
 * it. */
static uint32_t draw_fitting(const struct explore_matrices *m,
                             struct plumb_base_rng *rng, const struct ways *w,
                             unsigned c, unsigned room)
{
    double left =
        (double)(plumb_base_rng_next(rng) >> 11) * 0x1p-53 * w->of[c][room];
    uint32_t chosen = 0;
    for (uint32_t k = 0; k < m->count; k++) {
        const struct invocation *const i = &m->invocation[k];
        if (!may_invoke(i, c / w->ops) || i->operations > room ||
            w->of[c + 1][room - i->operations] == 0)
            continue;
        chosen = k;
        left -= w->of[c + 1][room - i->operations];
        if (left < 0)
            break;
    }
    return chosen;
}

static void draw_cells(const struct explore_matrices *m,
                       struct plumb_base_rng *rng, const struct ways *w,
                       uint32_t *cell)
{
    unsigned room = JOB_OPERATIONS;
    for (unsigned c = 0; c < w->cells; c++) {
        cell[c] = m->longest * (w->cells - c) <= room
                      ? draw_any(m, rng, c / w->ops)
                      : draw_fitting(m, rng, w, c, room);
        room -= m->invocation[cell[c]].operations;
    }
    sort_threads(cell, m->differ, w->cells / w->ops, w->ops);
}

bool explore_matrices_draw(const struct explore_matrices *m, unsigned threads,
                           unsigned ops, unsigned count, uint64_t seed,
                           char **test, unsigned *drawn)
{
    struct plumb_base_lists seen;
    struct plumb_base_rng rng;
    struct plumb_base_text text;
    uint32_t cell[MOST_CELLS];
    struct ways *const w = malloc(sizeof *w);
    bool memory = w;
    unsigned most = 0, unwritten = 0;
    assert(threads * ops <= MOST_CELLS);
    *drawn = 0;
    plumb_base_rng_seed(&rng, seed);
    plumb_base_lists_init(&seen, NULL);
    plumb_base_text_init(&text, NULL);
    if (w) {
        w->cells = threads * ops;
        w->ops = ops;
        count_ways(m, w);
        most = tries_for(w);
    }
    for (unsigned tries = 0;
         memory && tries < most && *drawn < count && unwritten < MOST_UNWRITTEN;
         tries++) {
        const uint32_t before = seen.count;
        draw_cells(m, &rng, w, cell);
        memory = plumb_base_lists_put(&seen, cell, w->cells) != PLUMB_ABSENT;
        if (seen.count == before)
            continue;
        const bool fits = write_test(m, cell, threads, ops, &text);
        memory &= !text.broken;
        unwritten += !fits;
        if (!memory || !fits)
            continue;
        tries = 0;
        test[*drawn] = strdup(plumb_base_text_string(&text));
        memory = test[*drawn];
        *drawn += memory;
    }
    plumb_base_text_release(&text);
    plumb_base_lists_release(&seen);
    free(w);
    return memory;
}

/* ---- AutoCheck ---- */

static unsigned choices_of(const struct explore_matrices *m)
{
    return m->n < m->count ? m->n : m->count;
}

static unsigned columns_of(const struct explore_matrices *m)
{
    const unsigned most = m->object.threads;
    return most && most < m->n ? most : m->n;
}

static unsigned cells_of(const struct explore_matrices *m)
{
    return columns_of(m) * m->n;
}

/* The next invocation from `from` on that may stand in the cell: its thread may
 * call it, and the operations that follow still fit. */
static bool set_cell(struct explore_matrices *m, unsigned cell, uint32_t from)
{
    const unsigned cells = cells_of(m);
    unsigned before = 0;
    for (unsigned i = 0; i < cell; i++)
        before += m->invocation[m->digit[i]].operations;
    for (uint32_t k = from; k < choices_of(m); k++) {
        const struct invocation *const i = &m->invocation[k];
        if (may_invoke(i, cell / m->n) &&
            before + i->operations + (cells - cell - 1) <= JOB_OPERATIONS) {
            m->digit[cell] = k;
            return true;
        }
    }
    return false;
}

/* The least that may stand there: threads are in order. */
static uint32_t least_of_cell(const struct explore_matrices *m, unsigned cell)
{
    const unsigned thread = cell / m->n;
    const uint32_t *const row = m->digit + thread * m->n;
    const bool equal =
        thread > m->differ &&
        memcmp(row, row - m->n, (cell % m->n) * sizeof *row) == 0;
    return equal ? m->digit[cell - m->n] : 0;
}

/* The first matrix whose cells before `cell` are as they are, and which has
 * `from` or more there; else the one after those.  False: there is none.  Only
 * matrices that are wanted are gone through: of all, they may be one in very
 * many. */
static bool advance(struct explore_matrices *m, unsigned cell, uint32_t from)
{
    for (;;) {
        if (set_cell(m, cell, from)) {
            if (++cell == cells_of(m))
                return true;
            from = least_of_cell(m, cell);
        } else {
            if (cell-- == 0)
                return false;
            from = m->digit[cell] + 1;
        }
    }
}

static bool advance_matrix(struct explore_matrices *m)
{
    const unsigned cells = cells_of(m);
    if (cells > MOST_CELLS)
        return false;
    if (cells && advance(m, cells - 1, m->digit[cells - 1] + 1))
        return true;
    for (m->n++; cells_of(m) <= MOST_CELLS; m->n++)
        if (advance(m, 0, 0))
            return true;
    return false;
}

bool explore_matrices_next(struct explore_matrices *m,
                           struct plumb_base_text *out)
{
    while (advance_matrix(m))
        if (write_test(m, m->digit, columns_of(m), m->n, out) || out->broken)
            return !out->broken;
    return false;
}
