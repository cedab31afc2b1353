/* latencies.c - what the processes of a worker counted, added up. */
#include "latencies.h"

#include "app/publish/publication.h"
#include "report/json.h"
#include "report/units.h"
#include "runtime/simulate/counts.h"
#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* ---- adding up ---- */

static uint64_t bucket_count(const struct worker_shared *s, unsigned operation,
                             unsigned bucket)
{
    uint64_t count = 0;
    for (unsigned p = 0; p < s->with.processes; p++)
        count += s->tally[p].latency[operation][bucket];
    return count;
}

/* The least latency that `percent` of the calls did not exceed, to within an
 * eighth (counts.h). */
static uint64_t percentile(const struct worker_shared *s, unsigned operation,
                           uint64_t calls, unsigned percent)
{
    const uint64_t wanted = (calls * percent + 99) / 100;
    uint64_t seen = 0;
    unsigned b = 0;
    while (b < LATENCY_BUCKETS - 1 &&
           (seen += bucket_count(s, operation, b)) < wanted)
        b++;
    return worker_latency_of_bucket(b);
}

struct simulate_latencies simulate_latencies_of(const struct worker_shared *s,
                                                unsigned operation)
{
    assert(operation < PLUMB_MAX_OPERATIONS);
    struct simulate_latencies l = { 0 };
    for (unsigned p = 0; p < s->with.processes; p++) {
        const struct worker_tally *const t = &s->tally[p];
        l.calls += t->calls[operation];
        l.retries += t->retries[operation];
        l.contended += t->contended[operation];
        if (t->longest[operation] > l.longest)
            l.longest = t->longest[operation];
    }
    for (unsigned b = 0; b < LATENCY_BUCKETS; b++)
        l.sampled += bucket_count(s, operation, b);
    l.median = percentile(s, operation, l.sampled, 50);
    l.ninety = percentile(s, operation, l.sampled, 90);
    l.ninety_nine = percentile(s, operation, l.sampled, 99);
    return l;
}

/* ---- for people ---- */

static void add_rate(struct plumb_report_table *t, double count, double of)
{
    char text[PLUMB_UNITS_SIZE] = "-";
    if (of > 0)
        plumb_report_show_number(text, count / of);
    plumb_report_table_cell(t, text);
}

static void add_time(struct plumb_report_table *t,
                     const struct simulate_latencies *l, uint64_t nanoseconds)
{
    char text[PLUMB_UNITS_SIZE] = "-";
    if (l->sampled > 0)
        plumb_report_show_duration(text, nanoseconds);
    plumb_report_table_cell(t, text);
}

static void add_row(struct plumb_report_table *t, const char *name,
                    const struct simulate_latencies *l, double seconds)
{
    const double thousands = (double)l->calls / 1000;
    plumb_report_table_cell(t, name);
    add_rate(t, (double)l->calls, seconds);
    add_time(t, l, l->median);
    add_time(t, l, l->ninety);
    add_time(t, l, l->ninety_nine);
    add_time(t, l, l->longest);
    add_rate(t, (double)l->retries, thousands);
    add_rate(t, (double)l->contended, thousands);
}

void simulate_add_latency_table(const struct plumb_report_style *style,
                                const struct worker_description *object,
                                const struct simulate_latencies *l,
                                double seconds, struct plumb_base_text *out)
{
    static const char *const head[] = { "operation", "calls/s",  "median",
                                        "90%",       "99%",      "maximum",
                                        "retries",   "contended" };
    enum { COLUMNS = sizeof head / sizeof *head };
    struct plumb_report_table t;
    plumb_report_table_init(&t, style, COLUMNS);
    for (unsigned c = 0; c < COLUMNS; c++)
        plumb_report_table_cell(&t, head[c]);
    for (unsigned i = 0; i < object->operations; i++)
        add_row(&t, object->operation[i], &l[i], seconds);
    plumb_report_table_end(&t, out);
}

/* ---- for programs ---- */

static void add_time_member(const char *name,
                            const struct simulate_latencies *l,
                            uint64_t nanoseconds, struct plumb_base_text *out)
{
    if (l->sampled > 0)
        plumb_base_text_printf(out, ",\"%s\":%" PRIu64, name, nanoseconds);
    else
        plumb_base_text_printf(out, ",\"%s\":null", name);
}

static void add_line(const char *operation, const struct simulate_latencies *l,
                     double seconds, struct plumb_base_text *out)
{
    plumb_report_json_text("operation", operation, out);
    plumb_base_text_printf(
        out,
        ",\"outcome\":\"measured\",\"seconds\":%.6f,\"calls\":%" PRIu64
        ",\"retries\":%" PRIu64 ",\"contended\":%" PRIu64
        ",\"sampled\":%" PRIu64,
        seconds, l->calls, l->retries, l->contended, l->sampled);
    add_time_member("median_ns", l, l->median, out);
    add_time_member("p90_ns", l, l->ninety, out);
    add_time_member("p99_ns", l, l->ninety_nine, out);
    add_time_member("max_ns", l, l->longest, out);
    plumb_base_text_add(out, "}\n");
}

void simulate_add_latency_json(const char *subject, unsigned processes,
                               const struct worker_description *object,
                               const struct simulate_latencies *l,
                               double seconds, struct plumb_base_text *out)
{
    for (unsigned i = 0; i < object->operations; i++) {
        publish_json_begin("simulate", subject, NULL, out);
        plumb_report_json_number("processes", processes, out);
        add_line(object->operation[i], &l[i], seconds, out);
    }
}

void simulate_add_names(const struct worker_description *object, uint32_t which,
                        struct plumb_base_text *out)
{
    assert(object->operations <= 32); /* a bit each */
    const size_t start = out->size;
    for (unsigned i = 0; i < object->operations; i++)
        if (which >> i & 1) {
            plumb_base_text_add(out, out->size > start ? ", " : "");
            plumb_report_label_line(object->operation[i], out);
        }
}
