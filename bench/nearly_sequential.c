/* nearly_sequential.c - a long queue history in which little overlaps.
 *
 *     nearly_sequential OPERATIONS [native|binary] >FILE
 *
 * Four threads; a new call overlaps the open ones in one case of four.  Eight
 * values are enqueued over and over, so no decider can tell items apart by
 * value, and the queue stays below 64 items.  Each operation takes effect
 * between its call and its response, so the history is linearizable. */
#include <plumb/plumb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, VALUES = 8, DEPTH = 64, OVERLAP_PERCENT = 25 };

struct open_call {
    bool is_open, is_done, is_enq, is_empty;
    int64_t value;
};

struct run {
    struct plumb_builder *builder;
    uint32_t thread[THREADS], object, enq, deq, ok, empty;
    struct open_call call[THREADS];
    int64_t item[DEPTH];
    unsigned first, items;
    uint64_t random;
    struct plumb_error err;
};

/* Numerical Recipes' generator: the same histories everywhere. */
static unsigned draw(struct run *r, unsigned n)
{
    r->random = r->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((r->random >> 33) % n);
}

static bool begin_call(struct run *r, unsigned t)
{
    struct open_call *const c = &r->call[t];
    *c = (struct open_call){ .is_open = true,
                             .is_enq = draw(r, 2) == 0,
                             .value = draw(r, VALUES) };
    if (r->items + THREADS >= DEPTH)
        c->is_enq = false;
    const struct plumb_value x = plumb_int(c->value);
    return plumb_builder_call(r->builder, r->thread[t], r->object,
                              c->is_enq ? r->enq : r->deq, &x,
                              c->is_enq ? 1 : 0, NULL, &r->err) == PLUMB_OK;
}

static void take_effect(struct run *r, struct open_call *c)
{
    c->is_done = true;
    if (c->is_enq) {
        r->item[(r->first + r->items++) % DEPTH] = c->value;
        return;
    }
    c->is_empty = r->items == 0;
    if (c->is_empty)
        return;
    c->value = r->item[r->first];
    r->first = (r->first + 1) % DEPTH;
    r->items--;
}

static bool end_call(struct run *r, unsigned t)
{
    struct open_call *const c = &r->call[t];
    if (!c->is_done)
        take_effect(r, c);
    c->is_open = false;
    const struct plumb_value x = plumb_int(c->value);
    const bool answers_value = !c->is_enq && !c->is_empty;
    return plumb_builder_respond(
               r->builder, r->thread[t], r->object, PLUMB_OUTCOME_OK,
               c->is_empty ? r->empty : r->ok, &x, answers_value ? 1 : 0, NULL,
               &r->err) == PLUMB_OK;
}

static unsigned count_open(const struct run *r)
{
    unsigned n = 0;
    for (unsigned t = 0; t < THREADS; t++)
        n += r->call[t].is_open;
    return n;
}

static bool simulate(struct run *r, unsigned long operations)
{
    for (unsigned long begun = 0; begun < operations || count_open(r);) {
        const unsigned t = draw(r, THREADS);
        struct open_call *const c = &r->call[t];
        const bool may_begin =
            begun < operations &&
            (count_open(r) == 0 || draw(r, 100) < OVERLAP_PERCENT);
        if (!c->is_open && may_begin) {
            begun++;
            if (!begin_call(r, t))
                return false;
        } else if (c->is_open && !c->is_done && draw(r, 2)) {
            take_effect(r, c);
        } else if (c->is_open && !end_call(r, t)) {
            return false;
        }
    }
    return true;
}

static uint32_t symbol(struct run *r, const char *text)
{
    return plumb_builder_symbol(r->builder, text, strlen(text));
}

static void name_things(struct run *r)
{
    static const char *const thread[THREADS] = { "P1", "P2", "P3", "P4" };
    for (unsigned t = 0; t < THREADS; t++)
        r->thread[t] = symbol(r, thread[t]);
    r->object = symbol(r, "q");
    r->enq = symbol(r, "enq");
    r->deq = symbol(r, "deq");
    r->ok = symbol(r, "ok");
    r->empty = symbol(r, "empty");
}

static int write_stdout(void *context, const void *data, size_t size)
{
    (void)context;
    return fwrite(data, 1, size, stdout) != size;
}

static bool write_history(struct run *r, enum plumb_format format)
{
    struct plumb_history h;
    uint64_t losses[PLUMB_LOSSES] = { 0 };
    const struct plumb_sink sink = { write_stdout, NULL };
    if (plumb_builder_finish(r->builder, PLUMB_TIES_CALL_FIRST, &h, &r->err) !=
        PLUMB_OK)
        return false;
    const enum plumb_status s =
        plumb_history_write(&h, format, 0, &sink, losses, &r->err);
    plumb_history_release(&h);
    return s == PLUMB_OK && fflush(stdout) == 0;
}

int main(int argc, char **argv)
{
    struct run r = { .builder = plumb_builder_new(NULL), .random = 1 };
    const unsigned long operations = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    const enum plumb_format format =
        plumb_format_by_name(argc > 2 ? argv[2] : "native");
    if (!r.builder || operations == 0 || format == PLUMB_FORMAT_AUTO) {
        fputs("usage: nearly_sequential OPERATIONS [native|jsonl|binary]\n",
              stderr);
        plumb_builder_free(r.builder);
        return 2;
    }
    name_things(&r);
    const bool good = simulate(&r, operations) && write_history(&r, format);
    if (!good)
        fprintf(stderr, "nearly_sequential: %s\n", r.err.message);
    plumb_builder_free(r.builder);
    return good ? 0 : 1;
}
