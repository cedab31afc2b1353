/* recording_track.c - what one thread recorded: its chunks as one stream.
 *
 * The thread may be writing while we read.  Its stores come in an order: the
 * words of an event, then its head; the last event of a chunk, then the sum of
 * the chunk, then how many words it has.  So a head that is not zero has all of
 * its event behind it, and where the head is zero and the chunk has no more
 * words than were read, the stream goes on in the next one.
 *
 * A chunk that is full when we come to it is first held against its checksum.
 */
#include "history/recording_track.h"

#include "base/fail.h"
#include <string.h>

/* No clock gets there, and two can be added. */
#define TIME_END (UINT64_C(1) << 62)

enum { LONGEST_EVENT = 2 + RECORDING_VALUES * (2 + RECORDING_TEXT / 8) };

const struct recording_chunk *plumb_recording_chunk(
    const struct recording_file *f, uint64_t number)
{
    const uint64_t at = RECORDING_HEADER + number * RECORDING_CHUNK;
    const void *const there = f->data + at;
    return f->size >= at + RECORDING_CHUNK ? there : NULL;
}

/* ---- a place in a chunk ---- */

struct place {
    struct recording_track *t;
    const struct recording_file *f;
    const struct recording_chunk *chunk;
    struct plumb_symbols *symbols;
    struct plumb_error *err;
    uint32_t at, end; /* words that may be read */
};

static enum plumb_status corrupt(const struct place *p, uint32_t word,
                                 const char *what)
{
    const uint64_t begin =
        RECORDING_HEADER +
        (uint64_t)p->t->chunk[p->t->current] * RECORDING_CHUNK;
    return plumb_fail(p->err, PLUMB_EINPUT, 0,
                      begin + offsetof(struct recording_chunk, word) +
                          word * UINT64_C(8),
                      "%s", what);
}

static uint64_t used_words(const struct recording_chunk *c)
{
    /* acquire: pairs with the release in seal() */
    return atomic_load_explicit(&c->used, memory_order_acquire);
}

/* ---- entering a chunk, leaving it ---- */

static enum plumb_status check_full(struct place *p, uint64_t used)
{
    const uint64_t sum =
        atomic_load_explicit(&p->chunk->checksum, memory_order_relaxed);
    if (used > RECORDING_ROOM || recording_chunk_sum(p->chunk, used) != sum)
        return corrupt(p, 0, "the chunk is corrupt: its checksum is wrong");
    p->t->used = (uint32_t)used;
    return PLUMB_OK;
}

static enum plumb_status enter(struct place *p)
{
    struct recording_track *const t = p->t;
    const uint64_t used = used_words(p->chunk);
    if (p->chunk->base < t->last || p->chunk->base >= TIME_END)
        return corrupt(p, 0, "the chunk was taken before the last one ended");
    t->entered = true;
    t->at = t->used = 0;
    t->last = p->chunk->base;
    if (used > 0)
        return check_full(p, used);
    if (p->f->closed && recording_word(p->chunk, 0) != 0)
        return corrupt(p, 0, "the chunk has no end, but the file was closed");
    return PLUMB_OK;
}

/* Nobody writes any more, and the chunk has no end: what was being written may
 * be there in part, but nothing behind it. */
static bool is_blank_behind(const struct place *p, uint32_t at)
{
    for (uint32_t i = at + LONGEST_EVENT; i < RECORDING_ROOM; i++)
        if (recording_word(p->chunk, i) != 0)
            return false;
    return true;
}

static enum plumb_status find_nothing(struct place *p)
{
    const bool goes_on = p->t->current + 1 < p->t->chunks;
    if (goes_on || (p->f->final && !is_blank_behind(p, p->t->at)))
        return corrupt(p, p->t->at, "a part of the chunk is missing");
    p->t->state = TRACK_DRY;
    return PLUMB_OK;
}

/* Where there is no head.  Has the thread gone on to its next chunk? */
static enum plumb_status turn_over(struct place *p, bool *again)
{
    struct recording_track *const t = p->t;
    if (!t->used) {
        const uint64_t used = used_words(p->chunk);
        if (used == 0)
            return find_nothing(p);
        const enum plumb_status status = check_full(p, used);
        if (status != PLUMB_OK)
            return status;
    }
    *again = true;
    if (t->at < t->used) {
        if (recording_word(p->chunk, t->at) != 0)
            return PLUMB_OK; /* it came in between */
        return corrupt(p, t->at, "an event is missing");
    }
    if (t->at > t->used)
        return corrupt(p, t->used, "the chunk ends within an event");
    t->current++;
    t->entered = false;
    return PLUMB_OK;
}

/* ---- events ---- */

static enum plumb_status take_text(struct place *p, uint64_t length,
                                   uint32_t *symbol)
{
    uint64_t bytes[(RECORDING_TEXT + 7) / 8];
    const size_t words = recording_text_words((size_t)length);
    if (length > RECORDING_TEXT || words > p->end - p->at)
        return corrupt(p, p->at, "the text is too long");
    for (size_t i = 0; i < words; i++)
        bytes[i] = recording_word(p->chunk, p->at++);
    *symbol =
        plumb_symbols_intern(p->symbols, (const char *)bytes, (size_t)length);
    return *symbol == UINT32_MAX ? plumb_fail_memory(p->err) : PLUMB_OK;
}

static enum plumb_status take_value(struct place *p, unsigned tag,
                                    struct plumb_value *v)
{
    uint32_t symbol = 0;
    if (p->at == p->end)
        return corrupt(p, p->at, "a value is missing");
    const uint64_t bits = recording_word(p->chunk, p->at++);
    if (tag > PLUMB_STR || (tag == PLUMB_NIL && bits != 0) ||
        (tag == PLUMB_BOOL && bits > 1))
        return corrupt(p, p->at - 1, "there is no such value");
    if (tag == PLUMB_STR) {
        const enum plumb_status status = take_text(p, bits, &symbol);
        if (status != PLUMB_OK)
            return status;
    }
    *v = (struct plumb_value){ tag == PLUMB_STR ? symbol : bits, tag, 0 };
    return PLUMB_OK;
}

static enum plumb_status take_values(struct place *p, uint64_t head)
{
    struct recorded *const e = &p->t->next;
    uint64_t tags = 0x0101010101010101u * PLUMB_INT;
    enum plumb_status status = PLUMB_OK;
    e->values = recording_values(head);
    if (e->values > RECORDING_VALUES)
        return corrupt(p, p->t->at, "the event has too many values");
    if (recording_tagged(head)) {
        if (p->at == p->end)
            return corrupt(p, p->at, "the tags of the values are missing");
        tags = recording_word(p->chunk, p->at++);
    }
    for (uint32_t i = 0; i < e->values && status == PLUMB_OK; i++)
        status = take_value(p, tags >> 8 * i & 0xff, &e->value[i]);
    return status;
}

static enum plumb_status take_event(struct place *p, uint64_t head)
{
    struct recording_track *const t = p->t;
    const uint64_t time = t->last + recording_passed(head);
    if (time >= TIME_END)
        return corrupt(p, t->at, "the time is impossible");
    const enum plumb_status status = take_values(p, head);
    if (status != PLUMB_OK)
        return status;
    t->next.kind = recording_kind(head);
    t->next.name = recording_name(head);
    t->next.object = recording_object(head);
    t->next.time = t->last = time;
    t->at = p->at;
    t->state = TRACK_READY;
    return PLUMB_OK;
}

static enum plumb_status take_time(struct place *p, bool *again)
{
    struct recording_track *const t = p->t;
    const uint64_t time =
        p->at < p->end ? recording_word(p->chunk, p->at++) : 0;
    if (time < t->last || time >= TIME_END)
        return corrupt(p, t->at, "the time is impossible");
    t->last = time;
    t->at = p->at;
    *again = true;
    return PLUMB_OK;
}

static enum plumb_status take_name(struct place *p, uint64_t head)
{
    struct recording_track *const t = p->t;
    const enum plumb_status status =
        take_text(p, recording_passed(head), &t->next.name);
    if (status != PLUMB_OK)
        return status;
    t->next.kind = recording_kind(head);
    t->at = p->at;
    t->state = TRACK_READY;
    return PLUMB_OK;
}

/* ---- looking ---- */

static enum plumb_status look_once(struct place *p, bool names, bool *again)
{
    struct recording_track *const t = p->t;
    if (t->current == t->chunks) {
        t->state = TRACK_DRY;
        return PLUMB_OK;
    }
    p->chunk = plumb_recording_chunk(p->f, t->chunk[t->current]);
    if (!t->entered) {
        const enum plumb_status status = enter(p);
        if (status != PLUMB_OK)
            return status;
    }
    p->end = t->used ? t->used : RECORDING_ROOM;
    if (t->at == p->end)
        return turn_over(p, again);
    /* acquire: pairs with the release in publish() */
    const uint64_t head =
        atomic_load_explicit(&p->chunk->word[t->at], memory_order_acquire);
    if (recording_kind(head) == 0)
        return head == 0 ? turn_over(p, again)
                         : corrupt(p, t->at, "there is no such event");
    p->at = t->at + 1;
    if (names && recording_kind(head) != RECORDING_TIME)
        return take_name(p, head);
    return recording_kind(head) == RECORDING_TIME ? take_time(p, again)
                                                  : take_event(p, head);
}

static enum plumb_status look(struct recording_track *t,
                              const struct recording_file *f,
                              struct plumb_symbols *symbols, bool names,
                              struct plumb_error *err)
{
    struct place p = { .t = t, .f = f, .symbols = symbols, .err = err };
    enum plumb_status status = PLUMB_OK;
    bool again = true;
    while (again && status == PLUMB_OK) {
        again = false;
        status = look_once(&p, names, &again);
    }
    return status;
}

enum plumb_status plumb_track_look(struct recording_track *t,
                                   const struct recording_file *f,
                                   struct plumb_symbols *symbols,
                                   struct plumb_error *err)
{
    return t->state == TRACK_DRY ? look(t, f, symbols, false, err) : PLUMB_OK;
}

enum plumb_status plumb_track_look_for_name(struct recording_track *t,
                                            const struct recording_file *f,
                                            struct plumb_symbols *symbols,
                                            struct plumb_error *err)
{
    return look(t, f, symbols, true, err);
}
