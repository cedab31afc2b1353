/* open_operations.c - entries of a table that say who does what. */
#include "open_operations.h"

static bool does(const struct plumb_proof_plain_entry *e, uint64_t what)
{
    return e->key[1].tag == PLUMB_INT && e->key[1].bits == what;
}

bool plumb_proof_open_begin(struct plumb_proof_plain *p,
                            struct plumb_proof_plain_state *s, unsigned whose,
                            uint64_t what, uint64_t place)
{
    struct plumb_proof_plain_entry *const e = plumb_proof_plain_enter(
        p, &s->table, plumb_proof_open_key(whose), plumb_int((int64_t)what));
    if (e)
        e->value = plumb_int((int64_t)place);
    return e;
}

void plumb_proof_open_end(struct plumb_proof_plain *p,
                          struct plumb_proof_plain_state *s, unsigned whose,
                          uint64_t what)
{
    struct plumb_proof_plain_entry *const e =
        plumb_proof_open_find(s, whose, what);
    if (e)
        plumb_proof_plain_erase(p, &s->table, e);
}

uint64_t plumb_proof_open_count(const struct plumb_proof_plain_state *s,
                                uint64_t what)
{
    uint64_t count = 0;
    for (size_t i = 0; i < s->table.count; i++)
        count += does(s->table.entry + i, what);
    return count;
}

bool plumb_proof_open_at(const struct plumb_proof_plain_state *s, uint64_t what,
                         uint64_t place)
{
    for (size_t i = 0; i < s->table.count; i++)
        if (does(s->table.entry + i, what) &&
            s->table.entry[i].value.bits == place)
            return true;
    return false;
}

void plumb_proof_open_move_up(struct plumb_proof_plain *p,
                              struct plumb_proof_plain_state *s, uint64_t what)
{
    for (size_t i = s->table.count; i-- > 0;) {
        struct plumb_proof_plain_entry *const e = s->table.entry + i;
        if (!does(e, what))
            continue;
        if (e->value.bits == 0)
            plumb_proof_plain_erase(p, &s->table, e);
        else
            e->value.bits--;
    }
}
