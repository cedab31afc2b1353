/* count_regions.c - which pairs of counts can be reached between two returns, and
 * which answers they explain. */
#include "item_counter.h"

/* ---- what a pair allows ---- */

/* Is it open just before the return at hand, if it was called? */
static bool is_open(const struct plumb_check_counter *s, uint32_t ret)
{
    return ret >= s->now.rank;
}

/* The most that may have come, if d have left. */
uint32_t plumb_check_count_most(const struct plumb_check_counter *s, uint32_t d)
{
    return counted_smaller(s->now.called, d + s->c->cap);
}

/* The least e from `least` on that allows `empty`; COUNT_NONE if none does. */
uint32_t plumb_check_count_empty(const struct plumb_check_counter *s,
                                 uint32_t d, uint32_t least)
{
    const struct plumb_check_counted *const item = s->c->item;
    if (least == d)
        return least;
    if (s->c->rule == PLUMB_COUNT_STRICT)
        return COUNT_NONE;
    const uint32_t last = s->c->rule == PLUMB_COUNT_GAP ? d + 1 : least;
    for (uint32_t i = d + 1; i <= last; i++)
        if (!is_open(s, item[i].add_ret))
            return COUNT_NONE;
    return least;
}

/* With e that have come and d that have left: are the removals open that have
 * to be for `full`? */
static bool is_slot_held(const struct plumb_check_counter *s, uint32_t d,
                         uint32_t e)
{
    const struct plumb_check_counted *const item = s->c->item;
    if (s->c->rule == PLUMB_COUNT_STRICT || e < s->c->cap)
        return false;
    const uint32_t first = e + 1 - s->c->cap;
    const uint32_t last = s->c->rule == PLUMB_COUNT_GAP ? first : d;
    for (uint32_t i = first; i <= last; i++)
        if (!is_open(s, item[i].rem_ret))
            return false;
    return true;
}

uint32_t plumb_check_count_full(const struct plumb_check_counter *s, uint32_t d,
                                uint32_t least)
{
    const uint32_t end = plumb_check_count_most(s, d);
    if (s->c->rule == PLUMB_COUNT_STRICT)
        return end == d + s->c->cap ? end : COUNT_NONE;
    for (uint32_t e = counted_larger(least, s->c->cap); e <= end; e++)
        if (e == d + s->c->cap || is_slot_held(s, d, e))
            return e;
    return COUNT_NONE;
}

/* ---- regions ---- */

/* More come and leave. */
static void close(const struct plumb_check_counter *s,
                  const struct plumb_check_front *f,
                  struct plumb_check_region *r)
{
    uint32_t before = COUNT_NONE;
    for (uint32_t i = 0; i < f->rows; i++) {
        const uint32_t d = f->d + i;
        if (before != COUNT_NONE)
            r->least[i] =
                counted_smaller(r->least[i], counted_larger(before, d));
        if (r->least[i] != COUNT_NONE &&
            r->least[i] > plumb_check_count_most(s, d))
            r->least[i] = COUNT_NONE;
        before = r->least[i];
    }
}

bool plumb_check_count_is_nothing(const struct plumb_check_front *f,
                                  const struct plumb_check_region *r)
{
    for (uint32_t i = 0; i < f->rows; i++)
        if (r->least[i] != COUNT_NONE)
            return false;
    return true;
}

/* Does `a` reach all that `b` does, and explain as much? */
static bool covers(const struct plumb_check_front *f,
                   const struct plumb_check_region *a,
                   const struct plumb_check_region *b)
{
    if (a->empties < b->empties || a->fulls < b->fulls)
        return false;
    for (uint32_t i = 0; i < f->rows; i++)
        if (a->least[i] > b->least[i])
            return false;
    return true;
}

/* What `from` becomes by a visit that explains all that answered `empty`, or
 * `full`. */
void plumb_check_count_visit(const struct plumb_check_counter *s,
                             const struct plumb_check_front *f,
                             const struct plumb_check_region *from, bool full,
                             struct plumb_check_region *to)
{
    to->empties = full ? from->empties : s->now.empties;
    to->fulls = full ? s->now.fulls : from->fulls;
    for (uint32_t i = 0; i < f->rows; i++) {
        const uint32_t least = from->least[i], d = f->d + i;
        to->least[i] = least == COUNT_NONE ? COUNT_NONE
                       : full              ? plumb_check_count_full(s, d, least)
                              : plumb_check_count_empty(s, d, least);
    }
    close(s, f, to);
}

void plumb_check_count_drop(struct plumb_check_front *f, uint32_t i)
{
    f->region[i] = f->region[--f->count];
}

/* False: there are too many. */
static bool take_region(struct plumb_check_front *f,
                        const struct plumb_check_region *r)
{
    for (uint32_t i = 0; i < f->count; i++)
        if (covers(f, f->region + i, r))
            return true;
    if (plumb_check_count_is_nothing(f, r))
        return true;
    for (uint32_t i = f->count; i-- > 0;)
        if (covers(f, r, f->region + i))
            plumb_check_count_drop(f, i);
    if (f->count == MOST_REGIONS)
        return false;
    f->region[f->count++] = *r;
    return true;
}

/* What calls have made possible: just before the next return.  False: too many
 * overlap. */
bool plumb_check_count_open_window(const struct plumb_check_counter *s,
                                   struct plumb_check_front *f)
{
    const uint32_t rows = s->now.leaving - f->d + 1;
    if (rows > MOST_ROWS)
        return false;
    for (uint32_t i = 0; i < f->count; i++) {
        for (uint32_t k = f->rows; k < rows; k++)
            f->region[i].least[k] = COUNT_NONE;
    }
    f->rows = rows;
    for (uint32_t i = 0; i < f->count; i++)
        close(s, f, f->region + i);
    return true;
}

bool plumb_check_count_explain(const struct plumb_check_counter *s,
                               struct plumb_check_front *f)
{
    struct plumb_check_region r;
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < f->count && !again; i++)
            for (unsigned full = 0; full < 2 && !again; full++) {
                const struct plumb_check_region *const from = f->region + i;
                if (full ? from->fulls == s->now.fulls
                         : from->empties == s->now.empties)
                    continue;
                plumb_check_count_visit(s, f, from, full, &r);
                bool covered = plumb_check_count_is_nothing(f, &r);
                for (uint32_t k = 0; k < f->count && !covered; k++)
                    covered = covers(f, f->region + k, &r);
                if (covered)
                    continue;
                if (!take_region(f, &r))
                    return false;
                again = true;
            }
    }
    return true;
}
