/* guess.c - which type do the operation names suggest? */
#include "names.h"
#include "spec.h"
#include <string.h>

/* The distinct operations of a history: more than this no type has. */
enum { MAX_CALLS = 64 };

struct call {
    uint32_t name; /* symbol */
    unsigned nargs;
};

/* MAX_CALLS + 1 if there are more. */
static unsigned list_calls(const struct plumb_history *h, struct call *call)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < h->count; i++) {
        const struct plumb_op *const o = h->op + i;
        unsigned k = 0;
        while (k < n && (call[k].name != o->name || call[k].nargs != o->nargs))
            k++;
        if (k < n)
            continue;
        if (n == MAX_CALLS)
            return MAX_CALLS + 1;
        call[n++] = (struct call){ o->name, o->nargs };
    }
    return n;
}

static bool knows(const struct plumb_spec_type *type, const char *name,
                  size_t length, size_t nargs)
{
    for (unsigned i = 0; i < type->nops; i++)
        if (strlen(type->ops[i].args) == nargs &&
            plumb_spec_names_have(type->ops[i].names, name, length))
            return true;
    return false;
}

bool plumb_spec_takes(const struct plumb_spec *spec, const char *name,
                      size_t length, size_t nargs)
{
    return knows(spec->type, name, length, nargs);
}

/* It knows all the calls, and some are not just borrowed from another type. */
static bool is_candidate(const struct plumb_spec_type *type,
                         const struct plumb_history *h, const struct call *call,
                         unsigned calls)
{
    bool suggested = false;
    for (unsigned i = 0; i < calls; i++) {
        size_t length;
        const char *const name =
            plumb_symbol_text(h->symbols, call[i].name, &length);
        if (!knows(type, name, length, call[i].nargs))
            return false;
        if (!type->borrowed ||
            !plumb_spec_names_have(type->borrowed, name, length))
            suggested = true;
    }
    return suggested;
}

/* The candidates among the types that may be guessed, or among the others. */
static unsigned list_candidates(const struct plumb_history *h, bool guessable,
                                const struct plumb_spec_type **found,
                                struct plumb_base_text *candidates)
{
    struct call call[MAX_CALLS];
    const unsigned calls = list_calls(h, call);
    unsigned count = 0;
    if (calls > MAX_CALLS)
        return 0;
    for (const struct plumb_spec_type *const *t = plumb_spec_types; *t; t++) {
        if ((*t)->guessable != guessable || !is_candidate(*t, h, call, calls))
            continue;
        if (candidates)
            plumb_base_text_printf(candidates, "%s%s", count ? ", " : "",
                                   (*t)->name);
        *found = *t;
        count++;
    }
    return count;
}

const struct plumb_spec_type *plumb_spec_guess(
    const struct plumb_history *h, struct plumb_base_text *candidates)
{
    const struct plumb_spec_type *found = NULL;
    const unsigned count = list_candidates(h, true, &found, candidates);
    if (count == 0 && candidates)
        list_candidates(h, false, &found, candidates);
    return count == 1 ? found : NULL;
}
