/* endless_queue.c - text of a queue's history, as fast as can be written.
 *
 *     endless_queue THREADS RESIDENT EVENTS [SEED [WRONG [PEEKS [INFO]]]]
 *
 * Random threads call enq and deq on one queue of about RESIDENT values and
 * return in any order; each operation takes effect at some moment in between.
 * The first dequeue that returns at event WRONG or later answers what the last
 * one did.  Of 65536 operations, PEEKS peek and INFO never return. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_THREADS = 1024, ROOM = 1 << 16, LINE = 64 };

enum stage { IDLE, CALLED, APPLIED };

struct thread {
    enum stage stage;
    int adds, peeks, empty;
    uint64_t value;
    char name[8];
    size_t length;
};

static struct {
    struct thread thread[MOST_THREADS];
    uint32_t threads;
    uint64_t *item, mask, first, last; /* a ring */
    uint64_t resident, next, random, wrong, before;
    uint32_t peeks, info;
    char out[ROOM];
    size_t used;
} g;

static uint32_t below(uint32_t n)
{
    g.random ^= g.random << 13;
    g.random ^= g.random >> 7;
    g.random ^= g.random << 17;
    return (uint32_t)((g.random >> 32) * n >> 32);
}

static void flush(void)
{
    for (size_t at = 0; at < g.used;) {
        const ssize_t n = write(STDOUT_FILENO, g.out + at, g.used - at);
        if (n <= 0)
            exit(0);
        at += (size_t)n;
    }
    g.used = 0;
}

static void add(const char *text, size_t length)
{
    memcpy(g.out + g.used, text, length);
    g.used += length;
}

static void add_number(uint64_t n)
{
    char digit[20];
    size_t at = sizeof digit;
    do
        digit[--at] = (char)('0' + n % 10);
    while (n /= 10);
    add(digit + at, sizeof digit - at);
}

static void end_line(const struct thread *t)
{
    add(") ", 2);
    add(t->name, t->length);
    if (g.used > ROOM - LINE)
        flush();
}

static void apply(struct thread *t)
{
    t->stage = APPLIED;
    if (t->adds) {
        g.item[g.last++ & g.mask] = t->value;
        return;
    }
    t->empty = g.first == g.last;
    if (!t->empty)
        t->value = g.item[g.first & g.mask];
    g.first += !t->empty && !t->peeks;
}

static void call(struct thread *t)
{
    const uint64_t inside = g.last - g.first;
    t->stage = CALLED;
    t->adds = inside + g.threads < 2 * g.resident + g.threads
                  ? inside < g.resident ? below(16) < 9 : below(16) < 7
                  : 0;
    if (t->adds) {
        t->value = g.next++;
        add("Q enq(", 6);
        add_number(t->value);
    } else if ((t->peeks = below(65536) < g.peeks)) {
        add("Q peek(", 7);
    } else {
        add("Q deq(", 6);
    }
    end_line(t);
}

static void respond(struct thread *t, uint64_t event)
{
    const int vague = g.info && below(65536) < g.info;
    if (t->stage == CALLED && !vague)
        apply(t);
    t->stage = IDLE;
    if (vague) {
        add("Q info(", 7);
    } else if (t->adds) {
        add("Q ok(", 5);
    } else if (t->empty) {
        add("Q empty(", 8);
    } else {
        add("Q ok(", 5);
        if (g.wrong && event >= g.wrong && !t->peeks) {
            t->value = g.before;
            g.wrong = 0;
        }
        if (!t->peeks)
            g.before = t->value;
        add_number(t->value);
    }
    end_line(t);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    g.threads = (uint32_t)strtoul(argv[1], NULL, 10);
    g.resident = strtoull(argv[2], NULL, 10);
    const uint64_t events = strtoull(argv[3], NULL, 10);
    g.random = argc > 4 ? strtoull(argv[4], NULL, 10) | 1 : 1;
    g.wrong = argc > 5 ? strtoull(argv[5], NULL, 10) : 0;
    g.peeks = argc > 6 ? (uint32_t)strtoul(argv[6], NULL, 10) : 0;
    g.info = argc > 7 ? (uint32_t)strtoul(argv[7], NULL, 10) : 0;
    if (!g.threads || g.threads > MOST_THREADS)
        return 2;
    for (g.mask = 1; g.mask < 2 * g.resident + 2 * MOST_THREADS;)
        g.mask *= 2;
    g.item = malloc(g.mask-- * sizeof *g.item);
    if (!g.item)
        return 2;
    for (uint32_t i = 0; i < g.threads; i++)
        g.thread[i].length = (size_t)snprintf(
            g.thread[i].name, sizeof g.thread[i].name, "P%u\n", i);
    for (int i = 0; i < 64; i++)
        below(2);
    for (uint64_t event = 1; event <= events; event++) {
        struct thread *const some = &g.thread[below(g.threads)];
        if (some->stage == CALLED)
            apply(some);
        struct thread *const t = &g.thread[below(g.threads)];
        if (t->stage == IDLE)
            call(t);
        else
            respond(t, event);
    }
    flush();
    return 0;
}
