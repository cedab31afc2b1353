/* load_target.c - load-target [--hooked] [--path] NAME [-- WORD...]: build an
 * object under test, load it, and tell what it says of itself.
 *
 * For tests of what comes before an object runs. */
#include "app/objects/library.h"
#include "app/objects/target.h"
#include "record/script.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void show_domain(const struct plumb_domain *d)
{
    switch (d->kind) {
    case PLUMB_DOMAIN_NONE:
        break;
    case PLUMB_DOMAIN_FRESH:
        fputs("fresh", stdout);
        break;
    case PLUMB_DOMAIN_FRESH_TEXT:
        fputs("fresh text", stdout);
        break;
    case PLUMB_DOMAIN_RANGE:
        printf("%" PRId64 "..%" PRId64, d->low, d->high);
        break;
    case PLUMB_DOMAIN_ONE_OF:
        printf("one of %s", d->words);
        break;
    }
}

static void show_operation(const struct plumb_operation *op)
{
    static const char *const callers[] = { "", ", by the first",
                                           ", by the others" };
    printf("  %s(", op->name);
    for (unsigned i = 0; i < plumb_record_operation_arity(op); i++) {
        fputs(i ? ", " : "", stdout);
        show_domain(op->args + i);
    }
    printf(")%s\n", callers[op->by]);
}

static void show(const struct objects_target *t, const struct plumb_object *o)
{
    printf("%s: %s, %s\n", t->label, o->name ? o->name : "no name",
           o->spec ? o->spec : "no specification");
    for (unsigned i = 0; i < plumb_record_object_size(o); i++)
        show_operation(o->operations + i);
    if (o->init)
        printf("  init %s\n", o->init);
    if (o->final)
        printf("  final %s\n", o->final);
}

static bool is_script(const char *what, const char *text,
                      const struct plumb_object *o)
{
    struct plumb_record_script s;
    struct plumb_error err;
    if (!text)
        return true;
    if (plumb_record_script_parse(&s, text, o, &err) != PLUMB_OK) {
        printf("%s, column %u: %s\n", what, (unsigned)err.column, err.message);
        return false;
    }
    plumb_record_script_release(&s);
    return true;
}

/* What the index says of an object of the library can be done with it. */
static bool index_is_right(const struct objects_target *t,
                           const struct plumb_object *o)
{
    struct objects_library l;
    if (!objects_library_open(&l))
        return false;
    const struct objects_library_object *const x =
        objects_library_find(&l, t->given);
    const bool right = !x || (is_script("init", x->init, o) &&
                              is_script("final", x->final, o) &&
                              is_script("scenario", x->scenario, o));
    objects_library_close(&l);
    return right;
}

int main(int argc, char **argv)
{
    bool hooked = false, path = false;
    struct objects_target t;
    const char *extra[32];
    size_t nextra = 0;
    int i = 1;
    for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
        hooked |= strcmp(argv[i], "--hooked") == 0;
        path |= strcmp(argv[i], "--path") == 0;
    }
    if (i >= argc || (i + 1 < argc && strcmp(argv[i + 1], "--") != 0))
        return 64;
    for (int k = i + 2; k < argc && nextra < 32; k++)
        extra[nextra++] = argv[k];
    if (!objects_target_build(
            &t, argv[i], hooked ? TARGET_HOOKED : TARGET_PLAIN, extra, nextra))
        return 2;
    if (path) /* it may be gone when the caller looks */
        puts(t.object);
    const struct plumb_object *const o = objects_target_load(&t);
    if (o)
        show(&t, o);
    if (!path)
        objects_target_release(&t);
    return o && index_is_right(&t, o) ? 0 : 2;
}
