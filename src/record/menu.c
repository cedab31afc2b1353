/* menu.c - what a process may invoke next: operations and arguments by chance.
 */
#include "menu.h"

#include "script.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- arguments ---- */

static const char blanks[] = " \t\r\n\v\f";

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, blanks);
}

static unsigned count_words(const char *text)
{
    unsigned count = 0;
    for (text = skip_blanks(text); *text; text = skip_blanks(text)) {
        text += strcspn(text, blanks);
        count++;
    }
    return count;
}

/* Fresh numbers are less than this many times m->base. */
enum { FRESH_ROWS = 1000 };

/* `number`, and behind it the digits of a number that is fresh; that alone
 * where the two do not fit in 64 bits. */
static int64_t make_unique(const struct plumb_record_menu *m, int64_t number,
                           uint64_t fresh)
{
    const int64_t span = (int64_t)(m->base * FRESH_ROWS);
    if (number > INT64_MAX / span - 1 || number < INT64_MIN / span + 1)
        return (int64_t)fresh;
    return number * span + (int64_t)fresh;
}

static void add_number(const struct plumb_record_menu *m,
                       struct plumb_record_entry *e, int64_t number,
                       uint64_t fresh)
{
    plumb_record_entry_number(e, m->unique ? make_unique(m, number, fresh)
                                           : number);
}

static void add_text(const struct plumb_record_menu *m,
                     struct plumb_record_entry *e, const char *word,
                     size_t length, uint64_t fresh)
{
    char text[PLUMB_ENTRY_TEXT];
    if (!m->unique) {
        plumb_record_entry_text(e, word, length);
        return;
    }
    const int all =
        snprintf(text, sizeof text, "%.*s.%" PRIu64, (int)length, word, fresh);
    plumb_record_entry_text(e, text, (size_t)all); /* too long: a flaw */
}

/* A word that is a number all through is a number. */
static void add_word(const struct plumb_record_menu *m,
                     struct plumb_record_entry *e, const char *word,
                     size_t length, uint64_t fresh)
{
    char digits[24], *end;
    if (length < sizeof digits) {
        memcpy(digits, word, length);
        digits[length] = '\0';
        errno = 0;
        const long long number = strtoll(digits, &end, 10);
        if (*end == '\0' && errno == 0) {
            add_number(m, e, number, fresh);
            return;
        }
    }
    add_text(m, e, word, length, fresh);
}

static void add_one_of(const struct plumb_record_menu *m,
                       struct plumb_record_entry *e, const char *words,
                       unsigned n, uint64_t fresh)
{
    const char *word = skip_blanks(words);
    while (n--)
        word = skip_blanks(word + strcspn(word, blanks));
    add_word(m, e, word, strcspn(word, blanks), fresh);
}

static void add_fresh_text(struct plumb_record_entry *e, uint64_t number)
{
    char text[24];
    const int length = snprintf(text, sizeof text, "v%" PRIu64, number);
    plumb_record_entry_text(e, text, (size_t)length);
}

static int64_t number_between(struct plumb_base_rng *rng, int64_t low,
                              int64_t high)
{
    const uint64_t width = (uint64_t)high - (uint64_t)low;
    uint64_t offset;
    if (width < UINT32_MAX)
        offset = plumb_base_rng_below(rng, (uint32_t)width + 1);
    else if (width < UINT64_MAX)
        offset = plumb_base_rng_next(rng) % (width + 1);
    else
        offset = plumb_base_rng_next(rng);
    return (int64_t)((uint64_t)low + offset);
}

/* An operation with two fresh arguments gets two numbers: the second, third and
 * fourth lie beyond all first ones. */
static uint64_t fresh(const struct plumb_record_menu *m,
                      const struct plumb_record_guest *g, unsigned argument)
{
    const uint64_t row = g->process + 1 + argument * PLUMB_MAX_PROCESSES;
    return row * m->base + g->position + 1;
}

static void add_argument(const struct plumb_record_menu *m,
                         struct plumb_record_guest *g,
                         struct plumb_record_entry *e, unsigned argument)
{
    const struct plumb_domain *const d =
        &m->object->operations[e->operation].args[argument];
    const unsigned words = m->words[e->operation][argument];
    switch (d->kind) {
    case PLUMB_DOMAIN_NONE:
        break;
    case PLUMB_DOMAIN_FRESH:
        plumb_record_entry_number(e, (int64_t)fresh(m, g, argument));
        break;
    case PLUMB_DOMAIN_FRESH_TEXT:
        add_fresh_text(e, fresh(m, g, argument));
        break;
    case PLUMB_DOMAIN_RANGE:
        add_number(m, e, number_between(&g->rng, d->low, d->high),
                   fresh(m, g, argument));
        break;
    case PLUMB_DOMAIN_ONE_OF:
        add_one_of(m, e, d->words, plumb_base_rng_below(&g->rng, words),
                   fresh(m, g, argument));
        break;
    }
}

/* ---- operations ---- */

static bool may_wait(const struct plumb_record_menu *m, unsigned operation)
{
    return m->waiting >> operation & 1;
}

static unsigned weight(const struct plumb_record_menu *m,
                       const struct plumb_record_guest *g, unsigned operation,
                       bool careful)
{
    const struct plumb_operation *const o = &m->object->operations[operation];
    if (!plumb_record_may_invoke(o, g->process))
        return 0;
    if (careful && may_wait(m, operation) && g->served <= 0)
        return 0;
    return o->weight ? o->weight : 1;
}

static uint32_t total_weight(const struct plumb_record_menu *m,
                             const struct plumb_record_guest *g, bool careful)
{
    uint32_t total = 0;
    for (unsigned i = 0; i < m->operations; i++)
        total += weight(m, g, i, careful);
    return total;
}

static unsigned choose_operation(const struct plumb_record_menu *m,
                                 struct plumb_record_guest *g, bool careful,
                                 uint32_t total)
{
    uint32_t left = plumb_base_rng_below(&g->rng, total);
    unsigned i = 0;
    for (uint32_t w; (w = weight(m, g, i, careful)) <= left; i++)
        left -= w;
    return i;
}

bool plumb_record_menu_choose(const struct plumb_record_menu *m,
                              struct plumb_record_guest *g,
                              struct plumb_record_entry *e)
{
    bool careful = g->careful;
    uint32_t total = total_weight(m, g, careful);
    if (total == 0) { /* a process that can do nothing but wait must wait */
        careful = false;
        total = total_weight(m, g, careful);
    }
    if (total == 0)
        return false;
    const unsigned operation = choose_operation(m, g, careful, total);
    const struct plumb_operation *const o = &m->object->operations[operation];
    plumb_record_entry_begin(e, operation);
    for (unsigned n = 0; n < plumb_record_operation_arity(o); n++)
        add_argument(m, g, e, n);
    g->served += may_wait(m, operation) ? -1 : 1;
    g->position++;
    return true;
}

void plumb_record_menu_init(struct plumb_record_menu *m,
                            const struct plumb_object *object, uint64_t most)
{
    *m = (struct plumb_record_menu){ .object = object, .base = 10 };
    while (m->base <= most)
        m->base *= 10;
    m->operations = plumb_record_object_size(object);
    for (unsigned i = 0; i < m->operations; i++) {
        const struct plumb_operation *const o = &object->operations[i];
        for (unsigned n = 0; n < plumb_record_operation_arity(o); n++)
            if (o->args[n].kind == PLUMB_DOMAIN_ONE_OF)
                m->words[i][n] = count_words(o->args[n].words);
    }
}
