/* serial_witness.c - see serial_witness.h.
 *
 * An operation is known by its thread and its number in it.  What the history
 * says of it is written as the file would write it, and the two texts are
 * compared: nothing of the file has to be understood but its frame. */
#include "serial_witness.h"

#include "base/fail.h"
#include "base/memory.h"
#include "base/text.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 26, OPERATIONS = 64 };

#define ABSENT UINT32_MAX

/* An operation of an observation. */
struct seen {
    unsigned thread, place; /* its number in its thread */
    bool listed, waits;
    uint32_t op; /* of the history that says the same; ABSENT: none does */
};

struct comparison {
    const struct plumb_history *h;
    bool stuck;
    struct plumb_budget *budget;
    struct plumb_error *err;
    uint32_t of[THREADS][OPERATIONS]; /* operations of the history */
    unsigned count[THREADS];
    struct seen seen[OPERATIONS + 1]; /* by id, of this observation */
    bool waits[OPERATIONS];           /* in a witness: it may wait for ever */
    bool explained;
};

static bool fail(struct comparison *c, const char *what)
{
    plumb_base_fail(c->err, PLUMB_EINPUT, 0, 0, "%s", what);
    return false;
}

/* ---- the history ---- */

static bool gather(struct comparison *c)
{
    const struct plumb_history *const h = c->h;
    for (uint32_t i = 0; i < h->count; i++) {
        const char *const name =
            plumb_symbol_text(h->symbols, h->thread[h->op[i].thread], NULL);
        const unsigned long number =
            name[0] == 'P' ? strtoul(name + 1, NULL, 10) : 0;
        if (!number || number > THREADS || c->count[number - 1] == OPERATIONS ||
            h->count > OPERATIONS)
            return fail(c, "the history has more threads or operations, or "
                           "other names, than an observation");
        c->of[number - 1][c->count[number - 1]++] = i;
    }
    return true;
}

/* A name or a term, which must not begin as a value does. */
static void write_word(const char *text, struct plumb_base_text *out)
{
    const bool valued = *text == '-' || (*text >= '0' && *text <= '9') ||
                        strstr(text, "true") == text ||
                        strstr(text, "false") == text;
    for (const unsigned char *at = (const unsigned char *)text; *at; at++)
        if (*at < 0x20 || *at > 0x7e || *at == '\\' || *at == '"' ||
            *at == '(' || (valued && (const char *)at == text))
            plumb_base_text_printf(out, "\\x%02x", (unsigned)*at);
        else
            plumb_base_text_xml(out, (const char *)at, 1);
}

static void write_text(const char *text, struct plumb_base_text *out)
{
    plumb_base_text_add(out, "&quot;");
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        if (*at < 0x20 || *at > 0x7e)
            plumb_base_text_printf(out, "\\x%02x", (unsigned)*at);
        else if (*at == '"')
            plumb_base_text_add(out, "\\&quot;");
        else if (*at == '\\')
            plumb_base_text_add(out, "\\\\");
        else
            plumb_base_text_xml(out, (const char *)at, 1);
    }
    plumb_base_text_add(out, "&quot;");
}

static void write_values(const struct comparison *c,
                         const struct plumb_value *value, unsigned count,
                         struct plumb_base_text *out)
{
    for (unsigned i = 0; i < count; i++) {
        if (i)
            plumb_base_text_add(out, ", ");
        if (value[i].tag == PLUMB_INT)
            plumb_base_text_printf(out, "%" PRId64, (int64_t)value[i].bits);
        else if (value[i].tag == PLUMB_BOOL)
            plumb_base_text_add(out, value[i].bits ? "true" : "false");
        else
            write_text(
                plumb_symbol_text(c->h->symbols, (uint32_t)value[i].bits, NULL),
                out);
    }
}

/* name="take">value="1" result="200"</op>, or without what it answered. */
static void write_operation(const struct comparison *c, uint32_t op,
                            bool answered, struct plumb_base_text *out)
{
    const struct plumb_op *const o = c->h->op + op;
    const char *const term = plumb_symbol_text(c->h->symbols, o->term, NULL);
    const bool ok = strcmp(term, "ok") == 0;
    const bool says = answered && (!ok || o->nres);
    plumb_base_text_add(out, "name=\"");
    write_word(plumb_symbol_text(c->h->symbols, o->name, NULL), out);
    plumb_base_text_add(out, "\"");
    if (!o->nargs && !says) {
        plumb_base_text_add(out, " />");
        return;
    }
    plumb_base_text_add(out, ">");
    if (o->nargs) {
        plumb_base_text_add(out, "value=\"");
        write_values(c, plumb_op_args(c->h, o), o->nargs, out);
        plumb_base_text_add(out, says ? "\" " : "\"");
    }
    if (says) {
        plumb_base_text_add(out, "result=\"");
        write_word(ok ? "" : term, out);
        plumb_base_text_add(out, !ok && o->nres ? "(" : "");
        write_values(c, plumb_op_results(c->h, o), o->nres, out);
        plumb_base_text_add(out, !ok && o->nres ? ")\"" : "\"");
    }
    plumb_base_text_add(out, "</op>");
}

/* ---- an observation ---- */

/* A part of a line between two texts. */
static const char *after(const char *line, const char *what)
{
    const size_t length = strlen(what);
    return strncmp(line, what, length) == 0 ? line + length : NULL;
}

/* A">1 2B</thread> */
static bool read_thread(struct comparison *c, const char *at)
{
    const unsigned thread = (unsigned)(*at - 'A');
    unsigned place = 0;
    if (thread >= THREADS || !(at = after(at + 1, "\">")))
        return fail(c, "the observations have a thread that is no letter");
    while (*at != '<') {
        char *end;
        const unsigned long id = strtoul(at, &end, 10);
        if (!id || id > OPERATIONS)
            return fail(c, "the observations have an id that is too large");
        c->seen[id] = (struct seen){ .thread = thread,
                                     .place = place++,
                                     .listed = true,
                                     .waits = *end == 'B',
                                     .op = ABSENT };
        at = end + (*end == 'B');
        at += *at == ' ';
    }
    return true;
}

/* 3" name="take">result="200"</op>: does the history say the same?  One that
 * has not returned may have answered anything. */
static bool read_operation(struct comparison *c, const char *at)
{
    char *end;
    const unsigned long id = strtoul(at, &end, 10);
    if (!id || id > OPERATIONS || !c->seen[id].listed || !after(end, "\" "))
        return fail(c, "the observations have an operation of no thread");
    struct seen *const s = &c->seen[id];
    if (s->place >= c->count[s->thread])
        return true;
    const uint32_t op = c->of[s->thread][s->place];
    const bool pending = plumb_op_is_pending(c->h->op + op);
    const size_t length = strcspn(end + 2, "\n");
    struct plumb_base_text text;
    plumb_base_text_init(&text, c->budget);
    write_operation(c, op, !pending && !s->waits, &text);
    const bool same =
        text.size == length &&
        memcmp(plumb_base_text_string(&text), end + 2, length) == 0;
    if ((same || pending) && !(s->waits && !pending))
        s->op = op;
    const bool broken = text.broken;
    plumb_base_text_release(&text);
    return !broken || plumb_base_fail_memory(c->err) == PLUMB_OK;
}

/* ---- witnesses ---- */

/* It waits: what it did it has not done.  Of one that returned nobody knows
 * when (PLUMB_OUTCOME_INFO), it may or may not have taken effect. */
static bool is_open(const struct comparison *c, uint32_t op)
{
    return c->h->op[op].outcome == PLUMB_OUTCOME_OPEN;
}

static bool precedes(const struct comparison *c, uint32_t a, uint32_t b)
{
    return plumb_op_ret(c->h->op + a) < c->h->op[b].call;
}

/* Is `op`, after those that are placed, in the order of the history? */
static bool is_in_order(const struct comparison *c, const bool *placed,
                        uint32_t op)
{
    for (uint32_t i = 0; i < c->h->count; i++)
        if (!placed[i] && i != op && precedes(c, i, op))
            return false;
    return true;
}

static bool all_returned_are(const struct comparison *c, const bool *placed)
{
    for (uint32_t i = 0; i < c->h->count; i++)
        if (!placed[i] && !plumb_op_is_pending(c->h->op + i))
            return false;
    return true;
}

/* 1[ ]1 3[ #</history>: every beginning of it may be the witness; of a stuck
 * history one that has nothing but what returned, and one operation that
 * waits. */
static bool read_history(struct comparison *c, const char *at)
{
    bool placed[OPERATIONS] = { false };
    bool guessed = false; /* something that waits took effect */
    for (;;) {
        if (!c->stuck && all_returned_are(c, placed))
            c->explained = true;
        if (*at == '<')
            return true;
        char *end;
        const unsigned long id = strtoul(at, &end, 10);
        if (!id || id > OPERATIONS || !c->seen[id].listed ||
            !(at = after(end, "[ ")))
            return fail(c, "the observations have a malformed history");
        const struct seen *const s = &c->seen[id];
        if (s->op == ABSENT || !is_in_order(c, placed, s->op))
            return true;
        if (s->waits) {
            c->waits[s->op] |=
                c->stuck && !guessed && all_returned_are(c, placed);
            return true;
        }
        placed[s->op] = true;
        guessed |= is_open(c, s->op);
        if (*at != ']' || strtoul(at + 1, &end, 10) != id)
            return fail(c,
                        "the observations have a history that is not serial");
        at = end + (*end == ' ');
    }
}

static bool read_line(struct comparison *c, const char *line)
{
    const char *at;
    if (after(line, "<observation>"))
        memset(c->seen, 0, sizeof c->seen);
    else if ((at = after(line, "<thread id=\"")))
        return read_thread(c, at);
    else if ((at = after(line, "<op id=\"")))
        return read_operation(c, at);
    else if ((at = after(line, "<history>")))
        return read_history(c, at);
    return true;
}

static bool is_unexplained(const struct comparison *c)
{
    if (!c->stuck)
        return !c->explained;
    for (uint32_t i = 0; i < c->h->count; i++)
        if (is_open(c, i) && !c->waits[i])
            return true;
    return false;
}

enum plumb_status plumb_proof_no_serial_witness(const struct plumb_history *h,
                                                bool stuck, const char *text,
                                                struct plumb_budget *budget,
                                                struct plumb_error *err)
{
    struct comparison *const c = plumb_base_alloc_zeroed(budget, sizeof *c);
    if (!c)
        return plumb_base_fail_memory(err);
    *err = (struct plumb_error){ .status = PLUMB_OK };
    *c = (struct comparison){
        .h = h, .stuck = stuck, .budget = budget, .err = err
    };
    bool read = gather(c);
    for (const char *line = text; read && *line;) {
        read = read_line(c, line);
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    if (read && !is_unexplained(c))
        fail(c, stuck ? "every operation that waits has a serial witness"
                      : "a serial history explains the history");
    plumb_base_release(budget, c, sizeof *c);
    return err->status;
}
