/* nearly_sequential.c - a long queue history in which little overlaps.
 *
 *     nearly_sequential OPERATIONS [native|binary] >FILE
 *
 * Time goes in rounds.  In each round each of four threads performs one
 * operation, which takes a tenth of the round, somewhere in it, and takes
 * effect somewhere within that: two given operations of a round overlap in one
 * case of five.  Eight values are enqueued over and over, so no decider can
 * tell items apart by value, and the queue stays below 64 items.  By the way
 * it is made the history is linearizable. */
#include <plumb/plumb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, VALUES = 8, DEPTH = 64, ROUND = 1000, LENGTH = 100 };

struct operation {
    unsigned start, effect; /* in the round; it ends at start + LENGTH */
    bool is_enq, is_empty;
    int64_t value;
};

struct run {
    struct plumb_builder *builder;
    uint32_t thread[THREADS], object, enq, deq, ok, empty;
    int64_t item[DEPTH];
    unsigned first, items;
    uint64_t random;
    struct plumb_error err;
};

/* Knuth's linear congruence: the same histories everywhere. */
static unsigned draw(struct run *r, unsigned n)
{
    r->random = r->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((r->random >> 33) % n);
}

static bool begin(struct run *r, unsigned t, const struct operation *o)
{
    const struct plumb_value x = plumb_int(o->value);
    return plumb_builder_call(r->builder, r->thread[t], r->object,
                              o->is_enq ? r->enq : r->deq, &x,
                              o->is_enq ? 1 : 0, NULL, &r->err) == PLUMB_OK;
}

static bool end(struct run *r, unsigned t, const struct operation *o)
{
    const struct plumb_value x = plumb_int(o->value);
    const bool answers_value = !o->is_enq && !o->is_empty;
    return plumb_builder_respond(
               r->builder, r->thread[t], r->object, PLUMB_OUTCOME_OK,
               o->is_empty ? r->empty : r->ok, &x, answers_value ? 1 : 0, NULL,
               &r->err) == PLUMB_OK;
}

static void take_effect(struct run *r, struct operation *o)
{
    if (o->is_enq) {
        r->item[(r->first + r->items++) % DEPTH] = o->value;
        return;
    }
    o->is_empty = r->items == 0;
    if (o->is_empty)
        return;
    o->value = r->item[r->first];
    r->first = (r->first + 1) % DEPTH;
    r->items--;
}

static struct operation choose(struct run *r)
{
    const unsigned start = draw(r, ROUND - LENGTH);
    return (struct operation){
        .start = start,
        .effect = start + draw(r, LENGTH),
        .is_enq = r->items + THREADS < DEPTH && draw(r, 2) == 0,
        .value = draw(r, VALUES),
    };
}

/* Go through the round moment by moment; at one moment calls come first. */
static bool perform_round(struct run *r, unsigned threads)
{
    struct operation op[THREADS];
    for (unsigned t = 0; t < threads; t++)
        op[t] = choose(r);
    for (unsigned now = 0; now <= ROUND; now++) {
        for (unsigned t = 0; t < threads; t++)
            if (op[t].start == now && !begin(r, t, &op[t]))
                return false;
        for (unsigned t = 0; t < threads; t++)
            if (op[t].effect == now)
                take_effect(r, &op[t]);
        for (unsigned t = 0; t < threads; t++)
            if (op[t].start + LENGTH == now && !end(r, t, &op[t]))
                return false;
    }
    return true;
}

static bool simulate(struct run *r, unsigned long operations)
{
    while (operations > 0) {
        const unsigned threads =
            operations < THREADS ? (unsigned)operations : THREADS;
        if (!perform_round(r, threads))
            return false;
        operations -= threads;
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
