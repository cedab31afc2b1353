/* recorder_events.c - a thread writes down that an operation begins, or ended.
 *
 * This is all that runs with every operation, so it takes no lock, calls
 * nobody, and writes to memory that no other thread writes to.
 *
 * The order matters.  The head of a call is stored before the operation does
 * anything, so that whoever has seen an effect of it can be told where it came
 * from; even if the program ends in between. */
#include "recorder.h"
#include "stamp.h"
#include <errno.h>
#include <string.h>

enum { PREFETCH = 192 }; /* bytes: further ahead than the next event */

static struct plumb_record_lane *lane_of(plumb_recorder *r)
{
    struct plumb_record_lane *const l = pthread_getspecific(r->key);
    return l ? l : plumb_record_lane_make(r);
}

/* Is there room for an event of `words`, and one of the time before it? */
static inline bool has_room(struct plumb_record_lane *l, size_t words)
{
    return (size_t)(l->end - l->at) >= words + 2 ||
           plumb_record_lane_advance(l);
}

/* Whoever begins an operation makes sure that there is room for its return, if
 * that has nothing but numbers: it is asked once. */
enum { ROOM_TO_RETURN = 2 + 1 + RECORDING_VALUES };

static void store(_Atomic uint64_t *word, uint64_t value)
{
    atomic_store_explicit(word, value, memory_order_relaxed);
}

static void publish(_Atomic uint64_t *head, uint64_t value)
{
    /* release: pairs with the acquire of whoever reads the file; what the
     * event consists of is seen with it */
    atomic_store_explicit(head, value, memory_order_release);
}

/* So long after the last event that a head cannot tell it. */
static void put_time(struct plumb_record_lane *l, uint64_t now)
{
    store(l->at + 1, now);
    publish(l->at, plumb_history_recording_head(RECORDING_TIME, 0, 0, 0, 0, 0));
    l->at += 2;
    l->last = now;
}

static inline void put_head(struct plumb_record_lane *l, uint64_t head,
                            uint64_t now, size_t words)
{
    publish(l->at, head | (now - l->last) << 32);
    l->at += words;
    l->last = now;
    __builtin_prefetch((const void *)((uintptr_t)l->at + PREFETCH), 1);
}

static inline void leave_a_mark(plumb_recorder *r, uint64_t now)
{
    if (now < atomic_load_explicit(&r->next_mark, memory_order_relaxed))
        return;
    atomic_store_explicit(&r->next_mark, now + r->mark_every,
                          memory_order_relaxed);
    store(&r->header->mark, now);
}

/* ---- events of which the words are known ---- */

/* What an event consists of, before it is known where it goes. */
struct event {
    uint64_t head;
    const uint64_t *word;
    size_t words; /* without the head */
};

static inline void fill_in(const struct plumb_record_lane *l,
                           const struct event *e)
{
    for (size_t i = 0; i < e->words; i++)
        store(l->at + 1 + i, e->word[i]);
}

static inline __attribute__((always_inline)) void put_call(
    struct plumb_record_lane *l, const struct event *e)
{
    fill_in(l, e);
    const uint64_t now = plumb_record_stamp_not_before(
        plumb_record_stamp_now(l->r->clock.clock), l->last);
    if (now - l->last > UINT32_MAX) {
        put_time(l, now);
        fill_in(l, e);
    }
    put_head(l, e->head, now, e->words + 1);
    l->open = true;
    /* release: the head is seen before what the operation stores */
    atomic_thread_fence(memory_order_release);
    plumb_record_stamp_stop_running_ahead();
}

static inline __attribute__((always_inline)) void put_return(
    struct plumb_record_lane *l, const struct event *e, uint64_t now)
{
    if (now - l->last > UINT32_MAX)
        put_time(l, now);
    fill_in(l, e);
    put_head(l, e->head, now, e->words + 1);
    l->open = false;
    leave_a_mark(l->r, now);
}

/* Inline: then the compiler sees how many words there are. */
static inline __attribute__((always_inline)) void begin(plumb_recorder *r,
                                                        const char *object,
                                                        const char *operation,
                                                        struct event *e)
{
    struct plumb_record_lane *const l = lane_of(r);
    if (!l || !has_room(l, e->words + 1 + ROOM_TO_RETURN))
        return;
    const uint32_t name = plumb_record_lane_name(l, operation);
    const uint32_t number = plumb_record_lane_object(l, object);
    if (!name || !number)
        return;
    e->head |=
        plumb_history_recording_head(RECORDING_CALL, 0, 0, name, number, 0);
    put_call(l, e);
}

/* The return was stamped already: nothing that follows is part of the
 * operation. */
static inline __attribute__((always_inline)) void end(
    struct plumb_record_lane *l, const char *term, struct event *e,
    uint64_t now)
{
    const uint32_t name = term ? plumb_record_lane_name(l, term) : 0;
    if (term && !name)
        return;
    e->head |= plumb_history_recording_head(RECORDING_RETURN, 0, 0, name, 0, 0);
    put_return(l, e, plumb_record_stamp_not_before(now, l->last));
}

static struct plumb_record_lane *open_lane(plumb_recorder *r)
{
    struct plumb_record_lane *const l = pthread_getspecific(r->key);
    return l && l->open ? l : NULL;
}

/* ---- numbers ---- */

static bool are_numbers(plumb_recorder *r, const int64_t *number, size_t n,
                        struct event *e)
{
    if (n > RECORDING_VALUES) {
        plumb_record_stop(r, E2BIG);
        return false;
    }
    *e = (struct event){ .head = (uint64_t)n << 2,
                         .word = (const uint64_t *)number,
                         .words = n };
    return true;
}

void plumb_record_begin(plumb_recorder *r, const char *object,
                        const char *operation, const int64_t *args, size_t n)
{
    struct event e;
    if (are_numbers(r, args, n, &e))
        begin(r, object, operation, &e);
}

void plumb_record_end(plumb_recorder *r, const char *term,
                      const int64_t *results, size_t n)
{
    const uint64_t now = plumb_record_clock_return(r->clock.clock);
    struct plumb_record_lane *const l = open_lane(r);
    struct event e;
    if (l && are_numbers(r, results, n, &e))
        end(l, term, &e, now);
}

/* ---- values ---- */

enum { TEXT_WORDS = 1 + (RECORDING_TEXT + 7) / 8 };

struct words {
    uint64_t word[1 + RECORDING_VALUES * TEXT_WORDS];
};

/* The length and the bytes; 0 if they are too many. */
static size_t add_text(uint64_t *word, const char *text)
{
    const size_t length = strnlen(text, RECORDING_TEXT + 1);
    const size_t words = plumb_history_recording_text_words(length);
    if (length > RECORDING_TEXT)
        return 0;
    memset(word, 0, (words + 1) * sizeof *word);
    word[0] = length;
    memcpy(word + 1, text, length);
    return words + 1;
}

static bool are_values(plumb_recorder *r, const struct plumb_value *value,
                       size_t n, struct words *w, struct event *e)
{
    size_t at = 1;
    w->word[0] = 0;
    bool fits = n <= RECORDING_VALUES;
    for (size_t i = 0; fits && i < n; i++) {
        const uint64_t bits = value[i].bits;
        size_t words = 1;
        w->word[0] |= (uint64_t)value[i].tag << 8 * i;
        if (value[i].tag == PLUMB_STR)
            words = add_text(w->word + at, (const char *)(uintptr_t)bits);
        else
            w->word[at] = bits;
        fits = words > 0 && value[i].tag <= PLUMB_STR;
        at += words;
    }
    if (!fits)
        plumb_record_stop(r, E2BIG);
    *e = (struct event){ .head = plumb_history_recording_head(0, n, 1, 0, 0, 0),
                         .word = w->word,
                         .words = at };
    return fits;
}

void plumb_record_begin_values(plumb_recorder *r, const char *object,
                               const char *operation,
                               const struct plumb_value *args, size_t n)
{
    struct words w;
    struct event e;
    if (are_values(r, args, n, &w, &e))
        begin(r, object, operation, &e);
}

void plumb_record_end_values(plumb_recorder *r, const char *term,
                             const struct plumb_value *results, size_t n)
{
    const uint64_t now = plumb_record_clock_return(r->clock.clock);
    struct plumb_record_lane *const l = open_lane(r);
    struct words w;
    struct event e;
    if (l && are_values(r, results, n, &w, &e) && has_room(l, e.words + 1))
        end(l, term, &e, now);
}
