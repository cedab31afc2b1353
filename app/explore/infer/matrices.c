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
    MOST_VALUES = 16,       /* of an argument */
    TRIES = 30,             /* for each matrix there is, ... */
    MOST_MATRICES = 1 << 18 /* ... or that many */
};

/* One operation with values, or a sequence as it was given. */
struct invocation {
    const struct plumb_operation *operation; /* NULL: a sequence */
    unsigned value[PLUMB_MAX_ARGUMENTS];     /* their numbers    */
    const char *sequence;
    unsigned operations;
    bool by_first, by_others; /* may such threads invoke it? */
};

struct explore_matrices {
    struct plumb_object object;
    unsigned differ; /* threads before those that are alike */
    struct invocation invocation[MOST_INVOCATIONS + MOST_SEQUENCES];
    unsigned count, sequences;
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
                            .by_first = plumb_record_may_invoke(o, 0),
                            .by_others = plumb_record_may_invoke(o, 1) };
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
        i->by_first &= plumb_record_may_invoke(o, 0);
        i->by_others &= plumb_record_may_invoke(o, 1);
    }
}

static enum plumb_status add_sequence(struct explore_matrices *m,
                                      const char *text, size_t length,
                                      struct plumb_error *err)
{
    struct plumb_record_script s;
    struct invocation i = { .by_first = true, .by_others = true };
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
    return thread == 0 ? i->by_first : i->by_others;
}

/* ---- RandomCheck ---- */

static unsigned count_allowed(const struct explore_matrices *m, unsigned thread)
{
    unsigned allowed = 0;
    for (unsigned i = 0; i < m->count; i++)
        allowed += may_invoke(&m->invocation[i], thread);
    return allowed;
}

/* After so many tests that were there before there is no other: each was missed
 * with a probability of e^-TRIES. */
static unsigned tries_for(const struct explore_matrices *m, unsigned threads,
                          unsigned ops)
{
    uint64_t matrices = 1;
    for (unsigned i = 0; i < threads * ops && matrices < MOST_MATRICES; i++)
        matrices *= count_allowed(m, i / ops);
    return TRIES *
           (unsigned)(matrices < MOST_MATRICES ? matrices : MOST_MATRICES);
}

/* Any invocation that the thread may call; false if there is none. */
static bool draw_cell(const struct explore_matrices *m,
                      struct plumb_base_rng *rng, unsigned thread,
                      uint32_t *cell)
{
    const unsigned allowed = count_allowed(m, thread);
    if (!allowed)
        return false;
    unsigned left = plumb_base_rng_below(rng, allowed);
    *cell = 0;
    while (!may_invoke(&m->invocation[*cell], thread) || left-- > 0)
        ++*cell;
    return true;
}

static bool draw_cells(const struct explore_matrices *m,
                       struct plumb_base_rng *rng, unsigned threads,
                       unsigned ops, uint32_t *cell)
{
    for (unsigned i = 0; i < threads * ops; i++)
        if (!draw_cell(m, rng, i / ops, &cell[i]))
            return false;
    sort_threads(cell, m->differ, threads, ops);
    return true;
}

bool explore_matrices_draw(const struct explore_matrices *m, unsigned threads,
                           unsigned ops, unsigned count, uint64_t seed,
                           char **test, unsigned *drawn)
{
    struct plumb_base_lists seen;
    struct plumb_base_rng rng;
    struct plumb_base_text text;
    uint32_t cell[MOST_CELLS];
    const unsigned most = tries_for(m, threads, ops);
    bool memory = true;
    assert(threads * ops <= MOST_CELLS);
    *drawn = 0;
    plumb_base_rng_seed(&rng, seed);
    plumb_base_lists_init(&seen, NULL);
    plumb_base_text_init(&text, NULL);
    for (unsigned tries = 0; memory && tries < most && *drawn < count;
         tries++) {
        const uint32_t before = seen.count;
        if (!draw_cells(m, &rng, threads, ops, cell))
            break;
        memory = plumb_base_lists_put(&seen, cell, (size_t)threads * ops) !=
                 PLUMB_ABSENT;
        if (seen.count == before)
            continue;
        const bool fits = write_test(m, cell, threads, ops, &text);
        memory &= !text.broken;
        if (!memory || !fits)
            continue;
        tries = 0;
        test[*drawn] = strdup(plumb_base_text_string(&text));
        memory = test[*drawn];
        *drawn += memory;
    }
    plumb_base_text_release(&text);
    plumb_base_lists_release(&seen);
    return memory;
}

/* ---- AutoCheck ---- */

static unsigned choices_of(const struct explore_matrices *m)
{
    return m->n < m->count ? m->n : m->count;
}

/* False: that was the last of this size. */
static bool count_up(struct explore_matrices *m)
{
    for (unsigned i = m->n * m->n; i-- > 0;) {
        if (++m->digit[i] < choices_of(m))
            return true;
        m->digit[i] = 0;
    }
    return false;
}

static bool is_wanted(const struct explore_matrices *m)
{
    for (unsigned i = 0; i < m->n * m->n; i++)
        if (!may_invoke(&m->invocation[m->digit[i]], i / m->n))
            return false;
    for (unsigned t = m->differ; t + 1 < m->n; t++)
        if (compare_threads(m->digit + t * m->n, m->digit + (t + 1) * m->n,
                            m->n) > 0)
            return false;
    return true;
}

bool explore_matrices_next(struct explore_matrices *m,
                           struct plumb_base_text *out)
{
    if (!m->count)
        return false;
    do {
        if (m->n && count_up(m))
            continue;
        m->n++;
        if (m->n * m->n > MOST_CELLS)
            return false;
        memset(m->digit, 0, sizeof m->digit);
    } while (!is_wanted(m) ||
             (!write_test(m, m->digit, m->n, m->n, out) && !out->broken));
    return !out->broken;
}
