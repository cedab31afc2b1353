/* target_load.c - loading an object under test, and what may be wrong with it.
 *
 * Every mistake that a careless author can make is found here and said in one
 * line, so that nobody else need look for it. */
#include "app/console/say.h"
#include "record/script.h"
#include "target.h"
#include <dlfcn.h>
#include <inttypes.h>
#include <plumb/spec.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Always false, as the answer to: is it sound? */
static bool complain(const struct objects_target *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool complain(const struct objects_target *t, const char *format, ...)
{
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return console_fails("%s: %s", t->given, message);
}

/* ---- operations ---- */

static bool has_word(const char *words)
{
    return words && words[strspn(words, " \t\r\n\v\f")] != '\0';
}

static bool domain_is_sound(const struct objects_target *t, const char *name,
                            unsigned argument, const struct plumb_domain *d)
{
    const int kind = (int)d->kind; /* of which anything may have been made */
    if (kind < PLUMB_DOMAIN_NONE || kind > PLUMB_DOMAIN_ONE_OF)
        return complain(t,
                        "%.40s, argument %u: unknown kind of domain %d; use "
                        "PLUMB_FRESH, PLUMB_FRESH_TEXT, PLUMB_RANGE or "
                        "PLUMB_ONE_OF",
                        name, argument + 1, kind);
    if (kind == PLUMB_DOMAIN_RANGE && d->low > d->high)
        return complain(t,
                        "%.40s, argument %u: PLUMB_RANGE from %" PRId64
                        " to %" PRId64 " is empty",
                        name, argument + 1, d->low, d->high);
    if (kind == PLUMB_DOMAIN_ONE_OF && !has_word(d->words))
        return complain(t, "%.40s, argument %u: PLUMB_ONE_OF lists no word",
                        name, argument + 1);
    return true;
}

static bool arguments_are_sound(const struct objects_target *t,
                                const struct plumb_operation *op)
{
    const unsigned arity = plumb_record_operation_arity(op);
    for (unsigned i = 0; i < PLUMB_MAX_ARGUMENTS; i++) {
        if (!domain_is_sound(t, op->name, i, op->args + i))
            return false;
        if (i > arity && op->args[i].kind != PLUMB_DOMAIN_NONE)
            return complain(t,
                            "%.40s has an argument %u, but its argument %u has "
                            "no domain",
                            op->name, i + 1, arity + 1);
    }
    return true;
}

/* What could not be told from the rest of a history, or of a script. */
static bool is_plain(const char *name)
{
    for (; *name; name++)
        if ((unsigned char)*name <= ' ' || *name == 127 ||
            strchr("(),|\"/", *name))
            return false;
    return true;
}

static bool operation_is_sound(const struct objects_target *t,
                               const struct plumb_object *o, unsigned n)
{
    const struct plumb_operation *const op = o->operations + n;
    if (!op->name || !*op->name)
        return complain(t, "operation %u has no name", n + 1);
    if (!is_plain(op->name))
        return complain(t,
                        "operation %u: the name \"%.40s\" has a blank or one "
                        "of ( ) , | \" /",
                        n + 1, op->name);
    if (!op->run)
        return complain(t, "operation %.40s has no function", op->name);
    if ((int)op->by < PLUMB_BY_ANY || (int)op->by > PLUMB_BY_SECOND)
        return complain(t,
                        "operation %.40s: .by is %d; use PLUMB_BY_ANY, "
                        "PLUMB_BY_FIRST, PLUMB_BY_SECOND or PLUMB_BY_OTHERS",
                        op->name, (int)op->by);
    for (unsigned i = 0; i < n; i++)
        if (strcmp(o->operations[i].name, op->name) == 0)
            return complain(t, "operations %u and %u are both called %.40s",
                            i + 1, n + 1, op->name);
    return arguments_are_sound(t, op);
}

/* As everything behind the last operation is. */
static bool is_zero(const struct plumb_operation *op)
{
    for (unsigned i = 0; i < PLUMB_MAX_ARGUMENTS; i++)
        if (op->args[i].kind != PLUMB_DOMAIN_NONE)
            return false;
    return !op->name && !op->run && !op->by && !op->weight;
}

static bool operations_are_sound(const struct objects_target *t,
                                 const struct plumb_object *o)
{
    unsigned count = PLUMB_MAX_OPERATIONS;
    if (!is_zero(o->operations + count))
        return complain(t, "its PLUMB_OBJECT has more than 16 .operations");
    while (count > 0 && is_zero(o->operations + count - 1))
        count--;
    if (count == 0)
        return complain(t, "its PLUMB_OBJECT has no .operations");
    for (unsigned i = 0; i < count; i++)
        if (!operation_is_sound(t, o, i))
            return false;
    return true;
}

/* ---- the rest ---- */

/* Before and after the processes there is only one. */
static bool script_is_sound(const struct objects_target *t,
                            const struct plumb_object *o, const char *what,
                            const char *text)
{
    struct plumb_record_script s;
    struct plumb_error err;
    if (!text)
        return true;
    if (plumb_record_script_parse(&s, text, o, &err) != PLUMB_OK)
        return complain(t, ".%s, column %" PRIu64 ": %s", what, err.column,
                        err.message);
    const unsigned processes = s.processes;
    plumb_record_script_release(&s);
    return processes == 1 ||
           complain(t, ".%s: | separates processes and is not allowed here",
                    what);
}

static bool is_sound(const struct objects_target *t,
                     const struct plumb_object *o)
{
    if (o->version < 1 || o->version > PLUMB_OBJECT_VERSION)
        return complain(t,
                        "compiled for version %u of plumb/object.h, but this "
                        "plumb has version %u; compile it again",
                        o->version, PLUMB_OBJECT_VERSION);
    if (o->name && !*o->name)
        return complain(t, "its .name is empty");
    if (o->spec && !*o->spec)
        return complain(t, "its .spec is empty");
    return operations_are_sound(t, o) &&
           script_is_sound(t, o, "init", o->init) &&
           script_is_sound(t, o, "final", o->final);
}

/* dlerror() says where the object is, which means nothing to the user. */
static const char *why_not_loaded(const struct objects_target *t)
{
    const char *const why = dlerror();
    const size_t length = strlen(t->object);
    if (!why)
        return "unknown reason";
    const bool named = strncmp(why, t->object, length) == 0 &&
                       strncmp(why + length, ": ", 2) == 0;
    return named ? why + length + 2 : why;
}

static const struct plumb_object *load(const struct objects_target *t)
{
    void *const handle = dlopen(t->object, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        const char *const why = why_not_loaded(t);
        complain(t, "cannot load it: %s%s", why,
                 strstr(why, "undefined symbol")
                     ? " (give more sources and libraries after --)"
                     : "");
        return NULL;
    }
    const struct plumb_object *const o = dlsym(handle, PLUMB_OBJECT_SYMBOL);
    if (!o)
        complain(t, "%s",
                 dlsym(handle, PLUMB_SPEC_SYMBOL)
                     ? "this is a specification (PLUMB_SPEC), not an object"
                     : "defines no object: PLUMB_OBJECT(...) is missing");
    return o;
}

const struct plumb_object *objects_target_load(const struct objects_target *t)
{
    const struct plumb_object *const o = load(t);
    if (o && is_sound(t, o))
        return o;
    return NULL;
}
