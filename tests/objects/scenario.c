/* scenario.c - see scenario.h. */
#include "scenario.h"

#include "../../runtime/invocation.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parser {
    const struct plumb_object *object;
    struct scenario *scenario;
    const char *text, *at;
};

static bool complain(const struct parser *p, const char *what)
{
    fprintf(stderr, "schedules: '%s', column %d: %s\n", p->text,
            (int)(p->at - p->text) + 1, what);
    return false;
}

static void skip_blanks(struct parser *p)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
}

static bool is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* ---- one argument ---- */

static bool read_number(struct parser *p, struct plumb_value *v)
{
    char *end;
    errno = 0;
    const long long number = strtoll(p->at, &end, 10);
    if (end == p->at || errno || is_word_char(*end))
        return complain(p, "this is no number");
    p->at = end;
    *v = plumb_int(number);
    return true;
}

static bool read_text(struct parser *p, struct plumb_entry *e,
                      struct plumb_value *v)
{
    char text[PLUMB_ENTRY_TEXT];
    size_t length = 0;
    const bool quoted = *p->at == '"';
    if (quoted)
        p->at++;
    while (length < sizeof text - 1 && *p->at &&
           (quoted ? *p->at != '"' : is_word_char(*p->at)))
        text[length++] = *p->at++;
    text[length] = '\0';
    if (quoted && *p->at++ != '"')
        return complain(p, "a string has no end");
    if (!quoted && !length)
        return complain(p, "an argument is missing");
    *v = plumb_str(invocation_keep_text(e, text));
    return !(e->flaws & PLUMB_FLAW_TEXT) || complain(p, "too much text");
}

static bool read_argument(struct parser *p, struct plumb_entry *e,
                          struct plumb_value *v)
{
    skip_blanks(p);
    if (isdigit((unsigned char)*p->at) || *p->at == '-')
        return read_number(p, v);
    return read_text(p, e, v);
}

static bool read_arguments(struct parser *p, struct plumb_entry *e,
                           unsigned count)
{
    if (*p->at != '(')
        return complain(p, "( expected");
    p->at++;
    for (unsigned i = 0; i < count; i++) {
        if (i && *p->at++ != ',')
            return complain(p, "there are more arguments than this");
        if (!read_argument(p, e, &e->value[i]))
            return false;
        skip_blanks(p);
    }
    skip_blanks(p);
    if (*p->at != ')')
        return complain(p, "there are fewer arguments than this");
    p->at++;
    e->nargs = (uint8_t)count;
    return true;
}

/* ---- one operation ---- */

static unsigned count_arguments(const struct plumb_operation *o)
{
    unsigned count = 0;
    while (count < PLUMB_MAX_ARGUMENTS &&
           o->args[count].kind != PLUMB_DOMAIN_NONE)
        count++;
    return count;
}

static const struct plumb_operation *find_operation(const struct parser *p,
                                                    const char *name,
                                                    size_t length,
                                                    unsigned *number)
{
    for (unsigned i = 0; i < PLUMB_MAX_OPERATIONS; i++) {
        const struct plumb_operation *const o = &p->object->operations[i];
        if (!o->name)
            break;
        *number = i;
        if (strlen(o->name) == length && !memcmp(o->name, name, length))
            return o;
    }
    return NULL;
}

static bool may_call(const struct plumb_operation *o, unsigned process)
{
    if (process == OUTSIDE || o->by == PLUMB_BY_ANY)
        return true;
    return (o->by == PLUMB_BY_FIRST) == (process == 0);
}

static bool read_operation(struct parser *p, unsigned process)
{
    struct scenario *const s = p->scenario;
    const char *const name = p->at;
    unsigned number = 0;
    if (s->count == MAX_INVOKED)
        return complain(p, "too many operations");
    while (is_word_char(*p->at))
        p->at++;
    const struct plumb_operation *const o =
        find_operation(p, name, (size_t)(p->at - name), &number);
    if (!o)
        return complain(p, "the object has no such operation");
    if (!may_call(o, process))
        return complain(p, "this process may not call it");
    struct invoked *const i = &s->op[s->count];
    memset(i, 0, sizeof *i);
    i->process = process;
    i->operation = o;
    i->entry.operation = (uint8_t)number;
    if (!read_arguments(p, &i->entry, count_arguments(o)))
        return false;
    s->count++;
    return true;
}

/* ---- all ---- */

static bool read_part(struct parser *p, unsigned process, unsigned part)
{
    struct scenario *const s = p->scenario;
    s->first[part] = s->count;
    for (skip_blanks(p); *p->at && *p->at != '|'; skip_blanks(p))
        if (!read_operation(p, process))
            return false;
    s->length[part] = s->count - s->first[part];
    return true;
}

static bool read_outside(struct parser *p, const char *text, unsigned part)
{
    p->text = p->at = text ? text : "";
    if (!read_part(p, OUTSIDE, part))
        return false;
    return !*p->at || complain(p, "one process at a time here");
}

static bool read_processes(struct parser *p, const char *text)
{
    struct scenario *const s = p->scenario;
    p->text = p->at = text;
    for (;;) {
        if (s->processes == MAX_PROCESSES)
            return complain(p, "too many processes");
        if (!read_part(p, s->processes, s->processes))
            return false;
        if (!s->length[s->processes])
            return complain(p, "a process does nothing");
        s->processes++;
        if (!*p->at)
            return true;
        p->at++;
    }
}

bool scenario_parse(struct scenario *s, const struct plumb_object *object,
                    const char *init, const char *text, const char *final)
{
    struct parser p = { .object = object, .scenario = s };
    memset(s, 0, sizeof *s);
    return read_outside(&p, init, OUTSIDE) && read_processes(&p, text) &&
           read_outside(&p, final, OUTSIDE + 1);
}
