/* script.c - operations written down. */
#include "script.h"

#include "base/fail.h"
#include "base/spelling.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 40 }; /* as much of a word as a message has room for */

unsigned plumb_record_object_size(const struct plumb_object *o)
{
    unsigned n = 0;
    while (n < PLUMB_MAX_OPERATIONS && o->operations[n].name)
        n++;
    return n;
}

unsigned plumb_record_operation_arity(const struct plumb_operation *op)
{
    unsigned n = 0;
    while (n < PLUMB_MAX_ARGUMENTS && op->args[n].kind != PLUMB_DOMAIN_NONE)
        n++;
    return n;
}

struct parse {
    const char *text, *at;
    const struct plumb_object *object;
    struct plumb_record_script *script;
    size_t room;
    struct plumb_error *err;
};

/* Always false. */
#define FAIL(p, where, ...)                                                    \
    (plumb_base_fail((p)->err, PLUMB_EINPUT, 1,                                \
                     (uint64_t)((where) - (p)->text) + 1, __VA_ARGS__),        \
     false)

static bool fail_memory(struct parse *p)
{
    plumb_base_fail_memory(p->err);
    return false;
}

static int shown(size_t length)
{
    return length > SHOWN ? SHOWN : (int)length;
}

/* ---- words ---- */

static void skip_blanks(struct parse *p)
{
    p->at += strspn(p->at, " \t\r\n\v\f");
}

static size_t word_length(const char *at)
{
    return strcspn(at, " \t\r\n\v\f(),|\"");
}

/* The character an escape stands for; *at is behind the backslash, and then
 * behind the escape.  0 if there is none such: texts hold no NUL. */
static char unescape(const char **at)
{
    static const char letters[] = "\"\\ntr", meant[] = "\"\\\n\t\r";
    const char c = *(*at)++;
    const char *const known = c ? strchr(letters, c) : NULL;
    if (known)
        return meant[known - letters];
    if (c != 'x' || plumb_base_hex_digit((*at)[0]) < 0 ||
        plumb_base_hex_digit((*at)[1]) < 0)
        return 0;
    *at += 2;
    return (char)(plumb_base_hex_digit((*at)[-2]) * 16 +
                  plumb_base_hex_digit((*at)[-1]));
}

static bool read_quoted(struct parse *p, const char **text)
{
    const char *const open = p->at++;
    size_t used = 0;
    /* What is read is never longer than what is written. */
    char *const copy =
        plumb_base_arena_alloc(&p->script->arena, strlen(p->at) + 1);
    if (!copy)
        return fail_memory(p);
    for (; *p->at != '"'; used++) {
        const char *const from = p->at;
        if (*from == '\0')
            return FAIL(p, open, "unterminated string");
        copy[used] = *p->at++;
        if (*from == '\\' && !(copy[used] = unescape(&p->at)))
            return FAIL(p, from,
                        "unknown escape: only \\\" \\\\ \\n \\t \\r \\xHH are "
                        "known");
    }
    p->at++;
    copy[used] = '\0';
    *text = copy;
    return true;
}

/* As in the words of PLUMB_ONE_OF: digits all through, perhaps with a sign. */
static bool is_number(const char *word, size_t length)
{
    const size_t sign = length > 0 && (*word == '+' || *word == '-');
    return length > sign && strspn(word + sign, "0123456789") >= length - sign;
}

static bool read_number(struct parse *p, const char *word, size_t length,
                        int64_t *number)
{
    errno = 0;
    *number = strtoll(word, NULL, 10);
    return !errno || FAIL(p, word, "number %.*s does not fit in 64 bits",
                          shown(length), word);
}

static bool means_no_text(const char *word, size_t length)
{
    return plumb_base_is_word(word, length, "true") ||
           plumb_base_is_word(word, length, "false") ||
           plumb_base_is_word(word, length, "nil");
}

/* A number if it is one, else a text. */
static bool read_word(struct parse *p, struct plumb_record_script_value *v)
{
    const char *const word = p->at;
    const size_t length = word_length(word);
    if (length == 0)
        return FAIL(p, word, "expected a value");
    if (means_no_text(word, length))
        return FAIL(
            p, word,
            "%.*s cannot be an argument; quote it to pass the text \"%.*s\"",
            (int)length, word, (int)length, word);
    p->at += length;
    if (is_number(word, length))
        return read_number(p, word, length, &v->number);
    char *const copy = plumb_base_arena_alloc(&p->script->arena, length + 1);
    if (!copy)
        return fail_memory(p);
    memcpy(copy, word, length);
    copy[length] = '\0';
    v->text = copy;
    return true;
}

/* ---- arguments ---- */

/* "1 2 3" are numbers, "red green" are texts, and some are both. */
static bool some_word_is_number(const char *words, bool wanted)
{
    static const char blanks[] = " \t\r\n\v\f";
    for (words += strspn(words, blanks); *words;
         words += strspn(words, blanks)) {
        const size_t length = strcspn(words, blanks);
        if (is_number(words, length) == wanted)
            return true;
        words += length;
    }
    return false;
}

static bool domain_has(const struct plumb_domain *d, bool number)
{
    switch (d->kind) {
    case PLUMB_DOMAIN_FRESH:
    case PLUMB_DOMAIN_RANGE:
        return number;
    case PLUMB_DOMAIN_FRESH_TEXT:
        return !number;
    case PLUMB_DOMAIN_ONE_OF:
        return d->words && some_word_is_number(d->words, number);
    default:
        return false;
    }
}

static bool read_argument(struct parse *p, const struct plumb_operation *op,
                          unsigned n, struct plumb_record_script_value *v)
{
    const char *const at = p->at;
    *v = (struct plumb_record_script_value){ .text = NULL };
    if (!(*at == '"' ? read_quoted(p, &v->text) : read_word(p, v)))
        return false;
    /* One too many is a number of arguments that is said in the end. */
    if (n >= plumb_record_operation_arity(op) ||
        domain_has(op->args + n, !v->text))
        return true;
    return FAIL(p, at, "%.40s takes a %s here, not a %s", op->name,
                v->text ? "number" : "text", v->text ? "text" : "number");
}

static bool read_arguments(struct parse *p, const struct plumb_operation *op,
                           struct plumb_record_script_step *step)
{
    const unsigned arity = plumb_record_operation_arity(op);
    const char *const open = p->at++;
    struct plumb_record_script_value v;
    unsigned n = 0;
    skip_blanks(p);
    while (*p->at != ')') {
        if (!read_argument(p, op, n, &v))
            return false;
        if (n < arity)
            step->args[n] = v;
        n++;
        skip_blanks(p);
        if (*p->at != ',' && *p->at != ')')
            return FAIL(p, p->at, "expected a comma or )");
        if (*p->at == ')')
            break;
        p->at++;
        skip_blanks(p);
        if (*p->at == ')')
            return FAIL(p, p->at, "expected a value");
    }
    p->at++;
    step->nargs = n;
    if (n == arity)
        return true;
    return FAIL(p, open, "%.40s takes %u argument%s, not %u", op->name, arity,
                plumb_base_plural(arity), n);
}

/* ---- operations ---- */

static bool fail_unknown(struct parse *p, size_t length)
{
    char names[160] = "";
    size_t used = 0;
    for (unsigned i = 0; i < plumb_record_object_size(p->object); i++) {
        const char *const name = p->object->operations[i].name;
        const size_t size = strlen(name);
        if (used + size + 3 > sizeof names)
            break;
        memcpy(names + used, ", ", 2);
        memcpy(names + used + 2, name, size + 1);
        used += size + 2;
    }
    return FAIL(p, p->at, "unknown operation \"%.*s\" (the object has %s)",
                shown(length), p->at, used ? names + 2 : "none");
}

static bool find_operation(struct parse *p, size_t length, unsigned *found)
{
    for (unsigned i = 0; i < plumb_record_object_size(p->object); i++) {
        *found = i;
        if (plumb_base_is_word(p->at, length, p->object->operations[i].name))
            return true;
    }
    return fail_unknown(p, length);
}

static struct plumb_record_script_step *new_step(struct parse *p)
{
    struct plumb_record_script *const s = p->script;
    if (s->count == p->room) {
        const size_t room = p->room ? 2 * p->room : 8;
        struct plumb_record_script_step *const step =
            plumb_base_arena_alloc(&s->arena, room * sizeof *step);
        if (!step)
            return NULL;
        if (s->count)
            memcpy(step, s->step, s->count * sizeof *step);
        s->step = step;
        p->room = room;
    }
    struct plumb_record_script_step *const step = s->step + s->count++;
    *step = (struct plumb_record_script_step){ .process = s->processes - 1 };
    return step;
}

static bool read_step(struct parse *p)
{
    const size_t length = word_length(p->at);
    unsigned operation = 0;
    if (length == 0)
        return FAIL(p, p->at, "expected an operation");
    if (p->at[length] != '(')
        return FAIL(p, p->at + length, "expected (");
    if (!find_operation(p, length, &operation))
        return false;
    struct plumb_record_script_step *const step = new_step(p);
    if (!step)
        return fail_memory(p);
    step->operation = operation;
    p->at += length;
    return read_arguments(p, p->object->operations + operation, step);
}

static bool read_script(struct parse *p)
{
    for (skip_blanks(p); *p->at; skip_blanks(p)) {
        if (*p->at == '|') {
            p->script->processes++;
            p->at++;
        } else if (!read_step(p))
            return false;
    }
    return true;
}

enum plumb_status plumb_record_script_parse(struct plumb_record_script *s,
                                            const char *text,
                                            const struct plumb_object *o,
                                            struct plumb_error *err)
{
    struct parse p = {
        .text = text, .at = text, .object = o, .script = s, .err = err
    };
    *s = (struct plumb_record_script){ .processes = 1 };
    plumb_base_arena_init(&s->arena, NULL);
    if (read_script(&p))
        return PLUMB_OK;
    plumb_record_script_release(s);
    return err->status;
}

void plumb_record_script_entry(const struct plumb_record_script_step *step,
                               struct plumb_record_entry *e)
{
    plumb_record_entry_begin(e, step->operation);
    for (unsigned i = 0; i < step->nargs; i++) {
        const struct plumb_record_script_value *const v = step->args + i;
        if (v->text)
            plumb_record_entry_text(e, v->text, strlen(v->text));
        else
            plumb_record_entry_number(e, v->number);
    }
}

void plumb_record_script_release(struct plumb_record_script *s)
{
    plumb_base_arena_release(&s->arena);
    *s = (struct plumb_record_script){ .count = 0 };
}
