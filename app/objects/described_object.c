/* described_object.c - an object as the host saw it, as if it were loaded. */
#include "described_object.h"

#include <string.h>

static bool has_word(const char *words)
{
    return words[strspn(words, " \t\r\n\v\f")] != '\0';
}

static bool is_sound(const struct plumb_domain *d)
{
    switch (d->kind) {
    case PLUMB_DOMAIN_FRESH:
    case PLUMB_DOMAIN_FRESH_TEXT:
        return true;
    case PLUMB_DOMAIN_RANGE:
        return d->low <= d->high;
    case PLUMB_DOMAIN_ONE_OF:
        return has_word(d->words);
    default:
        return false;
    }
}

bool objects_described_object(const struct job_description *d,
                              struct plumb_object *object)
{
    *object = (struct plumb_object){ .version = PLUMB_OBJECT_VERSION,
                                     .name = d->name,
                                     .spec = d->spec,
                                     .threads = d->threads };
    for (unsigned i = 0; i < d->operations; i++) {
        struct plumb_operation *const o = &object->operations[i];
        o->name = d->operation[i].name;
        o->by = d->operation[i].by;
        o->weight = d->operation[i].weight;
        for (unsigned n = 0; n < d->operation[i].arity; n++) {
            o->args[n] = d->operation[i].args[n];
            o->args[n].words = d->operation[i].words[n];
            if (!is_sound(&o->args[n]))
                return false;
        }
        if (!*o->name)
            return false;
    }
    return d->operations > 0;
}
