/* observations_read.c - see observations.h.
 *
 * A small part of XML is enough: comments, elements with attributes in double
 * quotes, and text with the five entities.  Histories are put into a tree, one
 * edge per operation, which becomes the automaton as what is run does. */
#include "observations.h"

#include "base/fail.h"
#include "base/hash.h"
#include "base/memory.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORD = 1 << 15, /* bytes of an attribute, a comment or a text */
    COMMENTS = 5    /* that say what was run; another one counts */
};

/* A node of the tree: what leads to it, its first child, its next sibling. */
struct node {
    uint32_t op, outcome, child, sibling;
};

/* What an id stands for. */
struct named {
    unsigned op;
    bool listed, waits, known; /* in a thread; with B; by <op> */
    uint32_t answer;
};

struct reader {
    const char *text, *at, *end;
    uint64_t line;
    struct plumb_error *err;
    struct plumb_budget *budget;
    struct plumb_infer_store *store;
    const char *const *name;
    const struct plumb_infer_origin *origin;
    struct plumb_infer_answers answers;
    struct {
        struct node *at;
        size_t count, capacity;
    } tree;
    struct {
        struct plumb_infer_seen *at;
        size_t count, capacity;
    } seen;
    struct named id[PLUMB_INFER_OPERATIONS + 1]; /* of the observation */
    uint64_t histories, promised;
    unsigned told; /* bit k: comment k was there */
    char word[WORD];
};

/* ---- text ---- */

static bool fail(struct reader *r, const char *what)
{
    plumb_base_fail(r->err, PLUMB_EINPUT, r->line, 0, "%s", what);
    return false;
}

static bool is_at(const struct reader *r, const char *text)
{
    const size_t length = strlen(text);
    return (size_t)(r->end - r->at) >= length &&
           memcmp(r->at, text, length) == 0;
}

static void skip(struct reader *r, size_t count)
{
    for (; count; count--)
        r->line += *r->at++ == '\n';
}

static void skip_blanks(struct reader *r)
{
    while (r->at < r->end && isspace((unsigned char)*r->at))
        skip(r, 1);
}

static bool take(struct reader *r, const char *text)
{
    if (!is_at(r, text))
        return false;
    skip(r, strlen(text));
    return true;
}

static bool expect(struct reader *r, const char *text)
{
    char what[80];
    skip_blanks(r);
    if (take(r, text))
        return true;
    snprintf(what, sizeof what, "expected %s", text);
    return fail(r, what);
}

static char take_entity(struct reader *r)
{
    static const struct {
        const char *text;
        char is;
    } entity[] = { { "&amp;", '&' },
                   { "&lt;", '<' },
                   { "&gt;", '>' },
                   { "&quot;", '"' },
                   { "&apos;", '\'' } };
    for (size_t i = 0; i < sizeof entity / sizeof *entity; i++)
        if (take(r, entity[i].text))
            return entity[i].is;
    return '\0';
}

/* Up to `stop`, which is passed; in r->word, with entities resolved, which
 * comments have none of. */
static bool take_until(struct reader *r, const char *stop)
{
    const bool comment = strcmp(stop, " -->") == 0;
    size_t length = 0;
    while (r->at < r->end && !is_at(r, stop)) {
        char c = *r->at;
        if (c == '&' && !comment)
            c = take_entity(r);
        else
            skip(r, 1);
        if (!c || length + 1 == WORD)
            return fail(r, c ? "this text is too long"
                             : "this is no entity, or a zero byte");
        r->word[length++] = c;
    }
    r->word[length] = '\0';
    return take(r, stop) || fail(r, "the file ends too early");
}

/* ---- what was run ---- */

/* The character at *at, which may be written as \\ or \x31. */
static char take_character(const char **at)
{
    const char *const c = *at;
    if (c[0] == '\\' && c[1] == 'x' && isxdigit((unsigned char)c[2]) &&
        isxdigit((unsigned char)c[3])) {
        const char digits[] = { c[2], c[3], '\0' };
        *at += 4;
        return (char)strtoul(digits, NULL, 16);
    }
    *at += c[0] == '\\' && c[1];
    return *(*at)++;
}

static void unescape(char *text)
{
    char *to = text;
    for (const char *at = text; *at;)
        *to++ = take_character(&at);
    *to = '\0';
}

/* "test: enq(1) | deq()" must be what is to be run now. */
static bool check_comment(struct reader *r)
{
    const struct {
        const char *key, *what, *now;
    } known[COMMENTS] = { { " build: ", "another build", r->origin->build },
                          { " options: ", "other options", r->origin->options },
                          { " init: ", "another --init", r->origin->init },
                          { " test: ", "another test", r->origin->test },
                          { " final: ", "another --final", r->origin->final } };
    if (!take_until(r, " -->"))
        return false;
    if (sscanf(r->word, " histories: %" SCNu64, &r->promised) == 1) {
        r->told |= 1u << COMMENTS;
        return true;
    }
    for (unsigned i = 0; i < COMMENTS; i++) {
        const size_t length = strlen(known[i].key);
        if (strncmp(r->word, known[i].key, length) != 0)
            continue;
        unescape(r->word + length);
        r->told |= 1u << i;
        if (strcmp(r->word + length, known[i].now) == 0)
            return true;
        plumb_base_fail(r->err, PLUMB_EINPUT, r->line, 0,
                        "these are the observations of %s", known[i].what);
        return false;
    }
    return true;
}

static bool read_prolog(struct reader *r)
{
    skip_blanks(r);
    if (take(r, "<?xml") && !take_until(r, "?>"))
        return false;
    for (skip_blanks(r); take(r, "<!--"); skip_blanks(r))
        if (!check_comment(r))
            return false;
    return r->told == (2u << COMMENTS) - 1 ||
           fail(r, "a comment is missing that says what was run");
}

/* ---- operations ---- */

/* Operation number `k` of a process, or UINT_MAX. */
static unsigned find_operation(const struct plumb_infer_store *s,
                               unsigned process, unsigned k)
{
    for (unsigned op = 0; op < s->operations; op++)
        if (s->process[op] == process && k-- == 0)
            return op;
    return UINT32_MAX;
}

/* <thread id="A">1 2B</thread>: ids are given to operations here. */
static bool read_thread(struct reader *r)
{
    if (!take_until(r, "\"") || r->word[0] < 'A' || r->word[0] > 'Z' ||
        r->word[1])
        return fail(r, "a thread is a letter");
    const unsigned process = (unsigned)(r->word[0] - 'A');
    if (!expect(r, ">") || !take_until(r, "</thread>"))
        return false;
    unsigned k = 0;
    for (char *at = r->word; at[strspn(at, " \n")]; k++) {
        const unsigned long id = strtoul(at, &at, 10);
        const unsigned op = find_operation(r->store, process, k);
        if (!id || id > PLUMB_INFER_OPERATIONS || op == UINT32_MAX ||
            r->id[id].listed)
            return fail(r,
                        "the test has no such operation, or it is here twice");
        r->id[id] =
            (struct named){ .op = op, .listed = true, .waits = *at == 'B' };
        at += *at == 'B';
    }
    return true;
}

/* A value at *at, behind which that is then. */
static bool read_value(struct plumb_record_entry *e, const char **at,
                       struct plumb_value *v)
{
    char *end;
    if (strncmp(*at, "true", 4) == 0 || strncmp(*at, "false", 5) == 0) {
        *v = plumb_bool(**at == 't');
        *at += **at == 't' ? 4 : 5;
        return true;
    }
    if (**at != '"') {
        *v = plumb_int(strtoll(*at, &end, 10));
        const bool is_number = end != *at;
        *at = end;
        return is_number;
    }
    char text[PLUMB_ENTRY_TEXT];
    size_t length = 0;
    for (++*at; **at && **at != '"' && length + 1 < sizeof text; length++)
        text[length] = take_character(at);
    if (**at != '"')
        return false;
    ++*at;
    *v = plumb_str(plumb_record_entry_keep(e, text, length));
    return !(e->flaws & PLUMB_FLAW_TEXT);
}

static bool read_values(struct plumb_record_entry *e, const char **at,
                        unsigned char *count, unsigned most)
{
    do {
        *at += strspn(*at, " ");
        struct plumb_value v;
        if (*count == most || !read_value(e, at, &v))
            return false;
        e->value[e->nargs + (*count)++] = v;
    } while (*(*at)++ == ',');
    --*at;
    return true;
}

static bool is_value(const char *text)
{
    return *text == '"' || *text == '-' || isdigit((unsigned char)*text) ||
           strncmp(text, "true", 4) == 0 || strncmp(text, "false", 5) == 0;
}

/* result="..." after the call. */
static bool read_result(struct plumb_record_entry *e, const char *text)
{
    const char *at = text;
    if (!is_value(text)) {
        char term[4 * PLUMB_ENTRY_TERM] = ""; /* all of it as \x31 */
        const size_t length = strcspn(text, "(");
        if (length >= sizeof term)
            return false;
        memcpy(term, text, length);
        unescape(term);
        if (strlen(term) >= PLUMB_ENTRY_TERM)
            return false;
        memset(e->term, 0, sizeof e->term); /* compared as a whole */
        memcpy(e->term, term, strlen(term));
        at = text + length;
        if (!*at)
            return true;
        at++;
        return read_values(e, &at, &e->nres, PLUMB_ENTRY_RESULTS) &&
               strcmp(at, ")") == 0;
    }
    return read_values(e, &at, &e->nres, PLUMB_ENTRY_RESULTS) && !*at;
}

/* The arguments are those of the test. */
static bool has_arguments(const struct plumb_record_entry *call,
                          const char *text)
{
    struct plumb_record_entry e;
    unsigned char count = 0;
    const char *at = text;
    plumb_record_entry_begin(&e, call->operation);
    if (!*text)
        return call->nargs == 0;
    if (!read_values(&e, &at, &count, PLUMB_MAX_ARGUMENTS) || *at ||
        count != call->nargs)
        return false;
    for (unsigned i = 0; i < count; i++)
        if (e.value[i].tag != call->value[i].tag ||
            (e.value[i].tag == PLUMB_STR
                 ? strcmp(e.text + e.value[i].bits,
                          call->text + call->value[i].bits) != 0
                 : e.value[i].bits != call->value[i].bits))
            return false;
    return true;
}

/* <op id="3" name="take">value="1" result="200"</op>, without its beginning. */
static bool read_said(struct reader *r, const struct plumb_record_entry *call,
                      struct plumb_record_entry *e)
{
    bool has = call->nargs == 0;
    skip_blanks(r);
    if (take(r, "/>"))
        return has || fail(r, "the operation of the test has arguments");
    if (!expect(r, ">"))
        return false;
    for (skip_blanks(r); !take(r, "</op>"); skip_blanks(r)) {
        if (take(r, "value=\"")) {
            if (!take_until(r, "\""))
                return false;
            has = has_arguments(call, r->word);
        } else if (take(r, "result=\"")) {
            if (!take_until(r, "\""))
                return false;
            if (!read_result(e, r->word))
                return fail(r, "this is no result");
        } else {
            return fail(r, "expected value=, result= or </op>");
        }
    }
    return has || fail(r, "the operation of the test has other arguments");
}

static bool read_operation(struct reader *r)
{
    struct plumb_record_entry e;
    if (!take_until(r, "\""))
        return false;
    const unsigned long id = strtoul(r->word, NULL, 10);
    if (!id || id > PLUMB_INFER_OPERATIONS || !r->id[id].listed ||
        r->id[id].known)
        return fail(r, "no thread has an operation of this id, or it is here "
                       "twice");
    struct named *const n = &r->id[id];
    const struct plumb_record_entry *const call = &r->store->call[n->op];
    if (!expect(r, "name=\"") || !take_until(r, "\""))
        return false;
    unescape(r->word);
    if (strcmp(r->word, r->name[call->operation]) != 0)
        return fail(r, "the operation of the test has another name");
    memcpy(&e, call, sizeof e);
    if (!read_said(r, call, &e))
        return false;
    n->known = true;
    n->answer = n->waits ? 0 : plumb_infer_answer(&r->answers, &e);
    if (n->answer >= PLUMB_INFER_ANSWERS)
        return fail(r, "there are too many different answers");
    return true;
}

/* ---- histories ---- */

static bool grow(struct reader *r, uint32_t from, uint32_t op, uint32_t outcome,
                 uint32_t *to)
{
    for (*to = r->tree.at[from].child; *to; *to = r->tree.at[*to].sibling)
        if (r->tree.at[*to].op == op && r->tree.at[*to].outcome == outcome)
            return true;
    const struct node fresh = { .op = op,
                                .outcome = outcome,
                                .sibling = r->tree.at[from].child };
    *to = (uint32_t)r->tree.count;
    const bool stuck = outcome == PLUMB_INFER_WAITS;
    const struct plumb_infer_seen seen = { .from = from,
                                           .to =
                                               stuck ? PLUMB_INFER_STUCK : *to,
                                           .op = op,
                                           .answer = stuck ? 0 : outcome };
    if (!PLUMB_APPEND(r->budget, r->tree.at, r->tree.count, r->tree.capacity,
                      fresh) ||
        !PLUMB_APPEND(r->budget, r->seen.at, r->seen.count, r->seen.capacity,
                      seen))
        return plumb_base_fail_memory(r->err) == PLUMB_OK;
    r->tree.at[from].child = *to;
    return true;
}

/* "3[ ]3", or "3[ #" of one that waits, at *at. */
static bool read_step(struct reader *r, char **at, uint32_t *node,
                      bool done[PLUMB_INFER_OPERATIONS], bool *ends)
{
    const unsigned long id = strtoul(*at, at, 10);
    if (!id || id > PLUMB_INFER_OPERATIONS || !r->id[id].known ||
        done[r->id[id].op] || *(*at)++ != '[')
        return fail(r, "this is no serial history of these operations");
    const struct named *const n = &r->id[id];
    *at += strspn(*at, " \n");
    done[n->op] = true;
    *ends = n->waits;
    if (n->waits ? *(*at)++ != '#'
                 : *(*at)++ != ']' || strtoul(*at, at, 10) != id)
        return fail(r, "an operation is called, and another one returns");
    return grow(r, *node, n->op, n->waits ? PLUMB_INFER_WAITS : n->answer,
                node);
}

/* The operations of a process come in their order. */
static bool is_next(const struct reader *r, unsigned op,
                    const bool done[PLUMB_INFER_OPERATIONS])
{
    for (unsigned before = 0; before < op; before++)
        if (r->store->process[before] == r->store->process[op] && !done[before])
            return false;
    return true;
}

static bool read_history(struct reader *r)
{
    bool done[PLUMB_INFER_OPERATIONS] = { false }, ends = false;
    uint32_t node = 0;
    unsigned steps = 0, listed = 0;
    if (!take_until(r, "</history>"))
        return false;
    for (char *at = r->word; at[strspn(at, " \n")]; steps++) {
        if (ends)
            return fail(r, "something follows an operation that waits");
        if (!read_step(r, &at, &node, done, &ends))
            return false;
    }
    for (unsigned id = 1; id <= PLUMB_INFER_OPERATIONS; id++)
        listed += r->id[id].listed;
    for (unsigned op = 0; op < r->store->operations; op++)
        if (done[op] && !is_next(r, op, done))
            return fail(r, "a thread leaves out one of its operations");
    r->histories++;
    return steps == listed || fail(r, "the history lacks an operation");
}

static bool read_observation(struct reader *r)
{
    memset(r->id, 0, sizeof r->id);
    for (skip_blanks(r); !take(r, "</observation>"); skip_blanks(r))
        if (take(r, "<thread id=\"") ? !read_thread(r)
            : take(r, "<op id=\"")   ? !read_operation(r)
            : take(r, "<history>")   ? !read_history(r)
            : take(r, "<!--")        ? !take_until(r, " -->")
                                     : !fail(r, "expected <thread>, <op>, "
                                                       "<history> or "
                                                       "</observation>"))
            return false;
    return true;
}

/* ---- the whole ---- */

/* What follows the observations says that nothing before it was changed. */
static bool read_digest(struct reader *r)
{
    uint64_t digest;
    skip_blanks(r);
    const size_t size = (size_t)(r->at - r->text);
    if (!expect(r, "<!--") || !take_until(r, " -->"))
        return false;
    if (sscanf(r->word, " digest: %" SCNx64, &digest) != 1 ||
        digest != plumb_base_hash_bytes(r->text, size))
        return fail(r, "the file was changed after it was written");
    skip_blanks(r);
    return r->at == r->end || fail(r, "the file goes on after its digest");
}

static bool read_all(struct reader *r)
{
    if (!PLUMB_APPEND(r->budget, r->tree.at, r->tree.count, r->tree.capacity,
                      (struct node){ 0 }))
        return plumb_base_fail_memory(r->err) == PLUMB_OK;
    if (!read_prolog(r) || !expect(r, "<observationset>"))
        return false;
    for (skip_blanks(r); !take(r, "</observationset>"); skip_blanks(r))
        if (!expect(r, "<observation>") || !read_observation(r))
            return false;
    if (r->histories != r->promised)
        return fail(r, "the file has fewer or more histories than it says");
    return (r->histories || fail(r, "there are no histories")) &&
           read_digest(r);
}

enum plumb_status plumb_infer_read(const char *text, size_t size,
                                   const struct plumb_infer_origin *origin,
                                   const char *const *name,
                                   struct plumb_budget *budget,
                                   struct plumb_infer_store *store,
                                   struct plumb_error *err)
{
    struct reader *const r = plumb_base_alloc_zeroed(budget, sizeof *r);
    if (!r)
        return plumb_base_fail_memory(err);
    *err = (struct plumb_error){ .status = PLUMB_OK };
    r->at = r->text = text;
    r->end = text + size;
    r->line = 1;
    r->err = err;
    r->budget = budget;
    r->store = store;
    r->name = name;
    r->origin = origin;
    plumb_infer_answers_open(&r->answers, store, budget);
    memset(store->allowed, 0xff, sizeof store->allowed);
    const enum plumb_status status =
        read_all(r)
            ? plumb_infer_store_infer(store, r->seen.at, r->seen.count,
                                      (uint32_t)r->tree.count, budget, err)
            : err->status;
    plumb_infer_answers_close(&r->answers);
    PLUMB_RELEASE(budget, r->tree.at, r->tree.capacity);
    PLUMB_RELEASE(budget, r->seen.at, r->seen.capacity);
    plumb_base_release(budget, r, sizeof *r);
    return status;
}
