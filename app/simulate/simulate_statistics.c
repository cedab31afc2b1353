/* simulate_statistics.c - how long operations took, and what they met. */
#include "simulate_statistics.h"

#include "app/console/say.h"
#include "latencies.h"
#include <stdio.h>

static void add_lines(const char *label,
                      const struct worker_description *object,
                      const struct worker_shared *s,
                      const struct simulate_latencies *l, double seconds,
                      struct plumb_base_text *out)
{
    for (unsigned i = 0; i < object->operations; i++) {
        const struct simulate_measurement m = { .subject = label,
                                                .operation =
                                                    object->operation[i],
                                                .processes = s->with.processes,
                                                .seconds = seconds };
        simulate_add_latency_json(&m, &l[i], out);
    }
}

void simulate_statistics(const struct simulate_settings *with,
                         const char *label,
                         const struct worker_description *object,
                         const struct worker_shared *s,
                         const struct simulate_outcome *o)
{
    const struct plumb_report_style style = { .ascii = true };
    const double seconds = (double)(o->ended - o->began) / 1e9;
    struct simulate_latencies l[PLUMB_MAX_OPERATIONS];
    struct plumb_base_text text;
    plumb_base_text_init(&text, NULL);
    for (unsigned i = 0; i < object->operations; i++)
        l[i] = simulate_latencies_of(s, i);
    if (with->json)
        add_lines(label, object, s, l, seconds, &text);
    else
        simulate_add_latency_table(&style, object, l, seconds, &text);
    fputs(plumb_base_text_string(&text), with->json ? stdout : stderr);
    plumb_base_text_release(&text);
    if (with->json)
        console_flush_results();
    if (s->with.noise)
        console_note("retries and contended are per 1000 calls; times include "
                     "the pauses of --noise %u",
                     s->with.noise);
    else
        console_note("retries and contended are per 1000 calls");
}
