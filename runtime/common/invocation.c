/* invocation.c - what an operation of an object calls: arguments and answers.
 *
 * These run inside the operation, on its own entry of the log: no lock, no
 * allocation, nothing that another process could notice. */
#include "invocation.h"

#include <string.h>

static bool has_argument(const plumb_invocation *i, unsigned n,
                         enum plumb_tag tag)
{
    struct plumb_record_entry *const e = i->entry;
    if (n < e->nargs && e->value[n].tag == tag)
        return true;
    e->flaws |= PLUMB_FLAW_ARGUMENT;
    return false;
}

int64_t plumb_arg(const plumb_invocation *i, unsigned n)
{
    return has_argument(i, n, PLUMB_INT) ? (int64_t)i->entry->value[n].bits : 0;
}

const char *plumb_arg_text(const plumb_invocation *i, unsigned n)
{
    const bool there = has_argument(i, n, PLUMB_STR);
    return there ? i->entry->text + i->entry->value[n].bits : "";
}

static void give(struct plumb_record_entry *e, struct plumb_value v)
{
    if (e->nres == PLUMB_ENTRY_RESULTS)
        e->flaws |= PLUMB_FLAW_RESULTS;
    else
        e->value[e->nargs + e->nres++] = v;
}

void plumb_return(plumb_invocation *i, int64_t result)
{
    give(i->entry, plumb_int(result));
}

void plumb_return_bool(plumb_invocation *i, bool result)
{
    give(i->entry, plumb_bool(result));
}

void plumb_return_text(plumb_invocation *i, const char *result)
{
    const size_t length = strlen(result);
    give(i->entry,
         plumb_str(plumb_record_entry_keep(i->entry, result, length)));
}

/* Equal terms have equal bytes, whatever was said before. */
void plumb_term(plumb_invocation *i, const char *term)
{
    struct plumb_record_entry *const e = i->entry;
    const size_t length = strcmp(term, "ok") ? strlen(term) : 0;
    memset(e->term, 0, sizeof e->term);
    if (length < PLUMB_ENTRY_TERM)
        memcpy(e->term, term, length);
    else
        e->flaws |= PLUMB_FLAW_TERM;
}

void plumb_block(plumb_invocation *i)
{
    i->entry->blocked = true;
}

unsigned plumb_process(const plumb_invocation *i)
{
    return i->process;
}
