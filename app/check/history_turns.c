/* history_turns.c - a window of histories: read, decided in turns, printed. */
#include "history_turns.h"

#include "base/memory.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Histories behind the first one that is not decided, and steps of a turn. */
enum { MOST_AHEAD = 1024, FIRST_TURN = 1 << 18, LONGER = 4 };

struct window {
    struct check_turns *with;
    struct check_subject **subject; /* in the order of the source */
    size_t first, end;              /* modulo MOST_AHEAD */
    struct check_subject **due;     /* of a round, the smallest first */
    struct check_subject **out;     /* submitted and not waited for: a ring */
    size_t taken, given;
    bool readable; /* what is printed */
    bool failed;   /* out of memory while reading */
};

static struct check_subject **at(const struct window *w, size_t i)
{
    return w->subject + i % MOST_AHEAD;
}

/* ---- printing ---- */

/* What is decided, up to the first that is not. */
static void print_decided(struct window *w)
{
    while (w->first != w->end && (*at(w, w->first))->decided) {
        struct check_subject *const s = *at(w, w->first++);
        if (w->readable && !w->with->print(w->with->context, s)) {
            w->readable = false;
            plumb_budget_stop(w->with->budget);
        }
        check_subject_free(s);
    }
}

/* ---- turns ---- */

static void wait_for_one(struct window *w)
{
    struct check_subject *const s = w->out[w->taken++ % w->with->pool->room];
    check_pool_wait(w->with->pool, s);
    s->decided = !s->interrupted;
}

static void wait_for_all(struct window *w)
{
    while (w->taken != w->given)
        wait_for_one(w);
    print_decided(w);
}

static void give_turn(struct window *w, struct check_subject *s)
{
    const size_t room = w->with->pool->room;
    s->done = s->interrupted = false;
    w->out[w->given++ % room] = s;
    check_pool_submit(w->with->pool, s);
    if (w->given - w->taken == room) {
        wait_for_one(w);
        print_decided(w);
    }
}

static int smallest_first(const void *x, const void *y)
{
    const struct check_subject *const a = *(struct check_subject *const *)x,
                                      *const b =
                                          *(struct check_subject *const *)y;
    if (a->history.count != b->history.count)
        return a->history.count < b->history.count ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

/* Those that have been given the fewest steps. */
static size_t list_due(const struct window *w)
{
    uint64_t least = UINT64_MAX;
    size_t count = 0;
    for (size_t i = w->first; i != w->end; i++)
        if (!(*at(w, i))->decided && (*at(w, i))->steps < least)
            least = (*at(w, i))->steps;
    for (size_t i = w->first; i != w->end; i++)
        if (!(*at(w, i))->decided && (*at(w, i))->steps == least)
            w->due[count++] = *at(w, i);
    qsort(w->due, count, sizeof(struct check_subject *), smallest_first);
    return count;
}

static size_t undecided(const struct window *w)
{
    size_t count = 0;
    for (size_t i = w->first; i != w->end; i++)
        count += !(*at(w, i))->decided;
    return count;
}

/* The last one may take as long as it takes, and all threads. */
static void run_round(struct window *w)
{
    const bool last =
        check_source_is_exhausted(w->with->source) && undecided(w) == 1;
    const size_t count = list_due(w);
    for (size_t i = 0; i < count; i++) {
        struct check_subject *const s = w->due[i];
        s->steps = last ? 0 : LONGER * s->steps;
        s->jobs = last ? w->with->jobs : 1;
        give_turn(w, s);
    }
    wait_for_all(w);
}

/* ---- reading ---- */

/* Read further?  Not when those that wait take up much of the memory. */
static bool has_room(const struct window *w)
{
    if (w->first == w->end)
        return true;
    return w->end - w->first < MOST_AHEAD && w->readable &&
           !plumb_base_budget_is_half_used(w->with->budget);
}

static void enter(struct window *w, struct check_subject *s)
{
    s->steps = FIRST_TURN;
    s->place = w->end;
    *at(w, w->end++) = s;
    give_turn(w, s);
}

/* Nothing is read after the budget is used up: the source then names what is
 * left. */
static void fill(struct window *w)
{
    while (w->readable && !w->failed && has_room(w)) {
        struct check_subject *const s =
            check_source_next(w->with->source, &w->failed);
        if (!s)
            break;
        enter(w, s);
    }
    wait_for_all(w);
}

static void run(struct window *w, struct check_subject *first)
{
    enter(w, first);
    do {
        fill(w);
        if (w->first != w->end)
            run_round(w);
    } while (w->first != w->end ||
             (w->readable && !w->failed &&
              !check_source_is_exhausted(w->with->source)));
}

bool check_take_turns(struct check_turns *t, struct check_subject *first)
{
    struct window w = { .with = t, .readable = true };
    const size_t size = sizeof(struct check_subject *);
    w.subject = calloc(MOST_AHEAD, size);
    w.due = calloc(MOST_AHEAD, size);
    w.out = calloc(t->pool->room, size);
    const bool room = w.subject && w.due && w.out;
    if (room)
        run(&w, first);
    else
        check_subject_free(first);
    free(w.subject);
    free(w.due);
    free(w.out);
    return room && !w.failed;
}
