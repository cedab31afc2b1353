/* witness_read.c - text to answers.
 *
 * A line is a keyword and its words.  The file may come from anybody, so each
 * number is checked against what the witness said before; the order of the
 * lines (operations before indexes) makes that possible in one pass. */
#include "base/fail.h"
#include "witness_file.h"

#include <inttypes.h>
#include <string.h>

struct word {
    const char *text;
    size_t size;
};

/* A growing array in an arena: what it outgrows is left behind. */
struct list {
    void *item;
    uint32_t count, capacity;
};

/* The lines a witness has had, so that none comes twice or is missing. */
enum seen {
    SEEN_SPEC = 1,
    SEEN_OPERATIONS = 2,
    SEEN_CHECKSUM = 4,
    SEEN_OBJECT = 8,
    SEEN_CUT = 16,
    SEEN_ORDER = 32,
    SEEN_CORE = 64
};

struct parser {
    const char *at, *end;   /* the rest of the file    */
    const char *line_start; /* of the line in hand     */
    const char *rest;       /* of the line in hand     */
    const char *line_end;   /* without its line end    */
    const char *word_start; /* of the last word read   */
    uint32_t line;
    struct plumb_base_arena *arena;
    struct plumb_error *err;
    struct list witnesses;
    struct plumb_report_witness now; /* the witness in hand     */
    bool in_witness;
    unsigned seen;
    struct list order, core, forgotten, certificate;
};

/* ---- lines and words ---- */

#define FAIL(p, ...)                                                           \
    plumb_base_fail((p)->err, PLUMB_EINPUT, (p)->line,                         \
                    (uint64_t)((p)->word_start - (p)->line_start) + 1,         \
                    __VA_ARGS__)

static bool next_line(struct parser *p)
{
    if (p->at == p->end)
        return false;
    const char *const end = memchr(p->at, '\n', (size_t)(p->end - p->at));
    p->line++;
    p->line_start = p->rest = p->word_start = p->at;
    p->line_end = end ? end : p->end;
    p->at = end ? end + 1 : p->end;
    if (p->line_end > p->rest && p->line_end[-1] == '\r')
        p->line_end--;
    return true;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Of size 0 at the end of the line. */
static struct word next_word(struct parser *p)
{
    while (p->rest < p->line_end && is_blank(*p->rest))
        p->rest++;
    p->word_start = p->rest;
    while (p->rest < p->line_end && !is_blank(*p->rest))
        p->rest++;
    return (struct word){ p->word_start, (size_t)(p->rest - p->word_start) };
}

static bool word_is(struct word w, const char *text)
{
    return w.size == strlen(text) && memcmp(w.text, text, w.size) == 0;
}

/* The digits that `w` begins with, cut off from it.  False: there are none, or
 * they exceed 32 bits. */
static bool cut_number(struct word *w, uint32_t *n)
{
    uint64_t sum = 0;
    size_t digits = 0;
    while (digits < w->size && w->text[digits] >= '0' &&
           w->text[digits] <= '9' && sum <= UINT32_MAX)
        sum = sum * 10 + (uint64_t)(w->text[digits++] - '0');
    w->text += digits;
    w->size -= digits;
    *n = (uint32_t)sum;
    return digits && sum <= UINT32_MAX;
}

static enum plumb_status fail_word(struct parser *p, const char *wanted,
                                   struct word w)
{
    if (w.size == 0)
        return FAIL(p, "%s is missing", wanted);
    return FAIL(p, "expected %s, found '%.*s'", wanted,
                w.size < 32 ? (int)w.size : 32, w.text);
}

static enum plumb_status end_line(struct parser *p)
{
    const struct word w = next_word(p);
    return w.size ? fail_word(p, "the end of the line", w) : PLUMB_OK;
}

/* One number below `limit`, and nothing else on the line. */
static enum plumb_status read_number(struct parser *p, const char *what,
                                     uint64_t limit, uint32_t *n)
{
    struct word w = next_word(p);
    const struct word whole = w;
    if (!cut_number(&w, n) || w.size)
        return fail_word(p, what, whole);
    if (*n >= limit)
        return FAIL(p, "%s %" PRIu32 " must be below %" PRIu64, what, *n,
                    limit);
    return end_line(p);
}

/* ---- lists ---- */

static void *grow(struct parser *p, struct list *l, size_t size)
{
    if (l->count == l->capacity) {
        const uint32_t capacity = l->capacity ? l->capacity * 2 : 16;
        void *const item =
            capacity > l->capacity
                ? plumb_base_arena_alloc(p->arena, capacity * size)
                : NULL;
        if (!item)
            return NULL;
        if (l->count)
            memcpy(item, l->item, l->count * size);
        l->item = item;
        l->capacity = capacity;
    }
    return (char *)l->item + l->count++ * size;
}

static enum plumb_status add_index(struct parser *p, struct list *l, uint32_t n)
{
    uint32_t *const to = grow(p, l, sizeof *to);
    if (!to)
        return plumb_base_fail_memory(p->err);
    *to = n;
    return PLUMB_OK;
}

static enum plumb_status check_index(struct parser *p, uint32_t n)
{
    if (n < p->now.operations)
        return PLUMB_OK;
    return FAIL(p,
                "operation %" PRIu32 " does not exist; the history has %" PRIu32
                " operations",
                n, p->now.operations);
}

/* ---- the lines of a witness ---- */

static enum plumb_status read_spec(struct parser *p)
{
    const struct word first = next_word(p);
    if (first.size == 0)
        return fail_word(p, "a specification", first);
    const size_t size = (size_t)(p->line_end - first.text);
    char *const text = plumb_base_arena_alloc(p->arena, size + 1);
    if (!text)
        return plumb_base_fail_memory(p->err);
    memcpy(text, first.text, size);
    text[size] = '\0';
    p->now.spec = text;
    return PLUMB_OK;
}

static enum plumb_status read_operations(struct parser *p)
{
    return read_number(p, "a number of operations", UINT32_MAX,
                       &p->now.operations);
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static enum plumb_status read_checksum(struct parser *p)
{
    const struct word w = next_word(p);
    bool good = w.size == 16;
    for (size_t i = 0; good && i < w.size; i++) {
        good = hex_digit(w.text[i]) >= 0;
        p->now.checksum =
            p->now.checksum << 4 | (unsigned)(hex_digit(w.text[i]) & 15);
    }
    return good ? end_line(p)
                : fail_word(p, "a checksum of 16 hexadecimal digits", w);
}

static enum plumb_status read_object(struct parser *p)
{
    return read_number(p, "an object", UINT32_MAX, &p->now.core.object);
}

static enum plumb_status read_cut(struct parser *p)
{
    return read_number(p, "a rank", (uint64_t)2 * p->now.operations + 1,
                       &p->now.core.cut);
}

/* Those that follow take a word of their line; PLUMB_END: it is not such. */

static enum plumb_status take_order(struct parser *p, struct word w)
{
    uint32_t n;
    if (!cut_number(&w, &n) || w.size)
        return PLUMB_END;
    const enum plumb_status status = check_index(p, n);
    return status == PLUMB_OK ? add_index(p, &p->order, n) : status;
}

static enum plumb_status take_core(struct parser *p, struct word w)
{
    const uint32_t *const before = p->core.item;
    uint32_t n;
    if (!cut_number(&w, &n) || !(w.size == 0 || word_is(w, "*")))
        return PLUMB_END;
    const enum plumb_status status = check_index(p, n);
    if (status != PLUMB_OK)
        return status;
    if (p->core.count && before[p->core.count - 1] >= n)
        return FAIL(p, "operation %" PRIu32 " of the core is out of order", n);
    uint8_t *const forgotten = grow(p, &p->forgotten, sizeof *forgotten);
    if (!forgotten)
        return plumb_base_fail_memory(p->err);
    *forgotten = w.size > 0;
    return add_index(p, &p->core, n);
}

static enum plumb_status take_step(struct parser *p, struct word w)
{
    struct plumb_certificate_step step;
    if (!cut_number(&w, &step.parent) || !w.size || *w.text++ != ':')
        return PLUMB_END;
    w.size--;
    if (!cut_number(&w, &step.op) || w.size)
        return PLUMB_END;
    if (step.parent > p->certificate.count)
        return FAIL(p,
                    "configuration %" PRIu32 " follows from %" PRIu32
                    ", which is not an earlier one",
                    p->certificate.count + 1, step.parent);
    const enum plumb_status status = check_index(p, step.op);
    if (status != PLUMB_OK)
        return status;
    struct plumb_certificate_step *const to =
        grow(p, &p->certificate, sizeof *to);
    if (!to)
        return plumb_base_fail_memory(p->err);
    *to = step;
    return PLUMB_OK;
}

typedef enum plumb_status take_word(struct parser *p, struct word w);

static enum plumb_status take_words(struct parser *p, const char *wanted,
                                    take_word *take)
{
    for (struct word w = next_word(p); w.size; w = next_word(p)) {
        const enum plumb_status status = take(p, w);
        if (status != PLUMB_OK)
            return status == PLUMB_END ? fail_word(p, wanted, w) : status;
    }
    return PLUMB_OK;
}

/* ---- witnesses ---- */

enum { OF_VIOLATION = 1, OF_ORDER = 2, REPEATS = 4 };

/* Its line is read as a whole, or word by word, each such a thing. */
struct keyword {
    const char *name;
    unsigned seen, needs, flags;
    enum plumb_status (*read)(struct parser *p);
    take_word *take;
    const char *wanted;
};

static const struct keyword keywords[] = {
    { "spec", SEEN_SPEC, 0, 0, .read = read_spec },
    { "operations", SEEN_OPERATIONS, 0, 0, .read = read_operations },
    { "checksum", SEEN_CHECKSUM, 0, 0, .read = read_checksum },
    { "order", SEEN_ORDER, SEEN_OPERATIONS, OF_ORDER | REPEATS,
      .take = take_order, .wanted = "the number of an operation" },
    { "object", SEEN_OBJECT, 0, OF_VIOLATION, .read = read_object },
    { "cut", SEEN_CUT, SEEN_OPERATIONS, OF_VIOLATION, .read = read_cut },
    { "core", SEEN_CORE, SEEN_OPERATIONS, OF_VIOLATION | REPEATS,
      .take = take_core, .wanted = "the number of an operation" },
    { "certificate", 0, SEEN_OPERATIONS, OF_VIOLATION | REPEATS,
      .take = take_step, .wanted = "a step CONFIGURATION:OPERATION" },
};

static const char *missing_line(const struct parser *p)
{
    unsigned wanted = SEEN_OPERATIONS | SEEN_CHECKSUM;
    if (p->now.verdict == PLUMB_LINEARIZABLE)
        wanted |= SEEN_ORDER;
    if (p->now.verdict == PLUMB_NOT_LINEARIZABLE)
        wanted |= SEEN_OBJECT | SEEN_CUT | SEEN_CORE;
    for (size_t k = 0; k < sizeof keywords / sizeof *keywords; k++)
        if (wanted & keywords[k].seen & ~p->seen)
            return keywords[k].name;
    return NULL;
}

/* The witness in hand is complete: keep it. */
static enum plumb_status end_witness(struct parser *p)
{
    if (!p->in_witness)
        return PLUMB_OK;
    const char *const missing = missing_line(p);
    if (missing)
        return plumb_base_fail(p->err, PLUMB_EINPUT, p->now.line, 1,
                               "history %" PRIu32 " has no line '%s'",
                               p->now.number, missing);
    p->now.order = p->order.item;
    p->now.order_count = p->order.count;
    p->now.core.op = p->core.item;
    p->now.core.forgotten = p->forgotten.item;
    p->now.core.count = p->core.count;
    p->now.certificate = p->certificate.item;
    p->now.certificate_count = p->certificate.count;
    struct plumb_report_witness *const to = grow(p, &p->witnesses, sizeof *to);
    if (!to)
        return plumb_base_fail_memory(p->err);
    *to = p->now;
    p->in_witness = false;
    return PLUMB_OK;
}

static enum plumb_status read_verdict(struct parser *p)
{
    const struct word w = next_word(p);
    struct word second;
    if (word_is(w, "linearizable")) {
        p->now.verdict = PLUMB_LINEARIZABLE;
        return end_line(p);
    }
    if (word_is(w, "undecided")) {
        p->now.verdict = PLUMB_UNDECIDED;
        return end_line(p);
    }
    if (!word_is(w, "not"))
        return fail_word(p, "a verdict", w);
    second = next_word(p);
    if (!word_is(second, "linearizable"))
        return fail_word(p, "linearizable", second);
    p->now.verdict = PLUMB_NOT_LINEARIZABLE;
    return end_line(p);
}

/* history K: VERDICT */
static enum plumb_status begin_witness(struct parser *p)
{
    const enum plumb_status status = end_witness(p);
    if (status != PLUMB_OK)
        return status;
    p->now = (struct plumb_report_witness){ .line = p->line };
    p->order = p->core = p->forgotten = p->certificate =
        (struct list){ .item = NULL };
    p->seen = 0;
    p->in_witness = true;
    struct word w = next_word(p);
    const struct word whole = w;
    if (!cut_number(&w, &p->now.number) || !word_is(w, ":"))
        return fail_word(p, "the number of a history and a colon", whole);
    if (p->now.number == 0)
        return FAIL(p, "histories are numbered from 1");
    const struct plumb_report_witness *const before = p->witnesses.item;
    if (p->witnesses.count &&
        before[p->witnesses.count - 1].number >= p->now.number)
        return FAIL(p, "history %" PRIu32 " is out of order", p->now.number);
    return read_verdict(p);
}

static bool is_of_verdict(const struct keyword *k, enum plumb_verdict v)
{
    if (k->flags & OF_VIOLATION)
        return v == PLUMB_NOT_LINEARIZABLE;
    return !(k->flags & OF_ORDER) || v == PLUMB_LINEARIZABLE;
}

static enum plumb_status read_keyword(struct parser *p, const struct keyword *k)
{
    if (!p->in_witness)
        return FAIL(p, "'%s' before the first history", k->name);
    if (!is_of_verdict(k, p->now.verdict))
        return FAIL(p, "'%s' does not belong to this verdict", k->name);
    if (p->seen & k->seen && !(k->flags & REPEATS))
        return FAIL(p, "'%s' is given twice", k->name);
    if (k->needs & ~p->seen)
        return FAIL(p, "'%s' before 'operations'", k->name);
    p->seen |= k->seen;
    return k->take ? take_words(p, k->wanted, k->take) : k->read(p);
}

static enum plumb_status read_line(struct parser *p)
{
    const struct word w = next_word(p);
    if (w.size == 0 || *w.text == '#')
        return PLUMB_OK;
    if (word_is(w, "history"))
        return begin_witness(p);
    for (size_t k = 0; k < sizeof keywords / sizeof *keywords; k++)
        if (word_is(w, keywords[k].name))
            return read_keyword(p, keywords + k);
    return fail_word(p, "a keyword", w);
}

static enum plumb_status read_first_line(struct parser *p)
{
    static const char start[] = "";
    p->line_start = p->word_start = start;
    if (!next_line(p) || !word_is(next_word(p), "plumb-witness")) {
        p->line = 1;
        p->word_start = p->line_start;
        return FAIL(p, "not a witness file: it does not begin with "
                       "'plumb-witness 1'");
    }
    const struct word version = next_word(p);
    if (!word_is(version, "1"))
        return fail_word(p, "version 1", version);
    return end_line(p);
}

enum plumb_status plumb_report_witness_read(const char *data, size_t size,
                                            struct plumb_base_arena *arena,
                                            struct plumb_report_witnesses *list,
                                            struct plumb_error *err)
{
    struct parser p = {
        .at = data, .end = data + size, .arena = arena, .err = err
    };
    enum plumb_status status = read_first_line(&p);
    while (status == PLUMB_OK && next_line(&p))
        status = read_line(&p);
    if (status == PLUMB_OK)
        status = end_witness(&p);
    if (status != PLUMB_OK)
        return status;
    *list =
        (struct plumb_report_witnesses){ p.witnesses.item, p.witnesses.count };
    return PLUMB_OK;
}

const struct plumb_report_witness *plumb_report_witness_find(
    const struct plumb_report_witnesses *list, uint32_t number)
{
    uint32_t low = 0, high = list->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (list->witness[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < list->count && list->witness[low].number == number
               ? list->witness + low
               : NULL;
}

enum plumb_status plumb_report_witness_is_about(
    const struct plumb_report_witness *w, const struct plumb_history *h,
    struct plumb_error *err)
{
    if (w->operations != h->count)
        return plumb_base_fail(err, PLUMB_EINPUT, w->line, 1,
                               "the witness belongs to a history with %" PRIu32
                               " operations; this one has %" PRIu32,
                               w->operations, h->count);
    if (w->checksum != plumb_report_history_checksum(h))
        return plumb_base_fail(err, PLUMB_EINPUT, w->line, 1,
                               "the witness belongs to another history: its "
                               "checksum is %016" PRIx64 ", not %016" PRIx64,
                               w->checksum, plumb_report_history_checksum(h));
    if (w->verdict == PLUMB_NOT_LINEARIZABLE && w->core.object >= h->objects)
        return plumb_base_fail(err, PLUMB_EINPUT, w->line, 1,
                               "object %" PRIu32
                               " does not exist; the history has %" PRIu32
                               " objects",
                               w->core.object, h->objects);
    return PLUMB_OK;
}
