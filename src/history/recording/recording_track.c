/* recording_track.c - what one thread recorded, as one stream.
 *
 * The thread may be writing while we read.  Its stores come in an order: the
 * words of an event, then its head; a copy of the full desk, then the state of
 * the desk.  So a head that is not zero has all of its event behind it, if the
 * desk has the same state before we look at it and after.  And once the state
 * says that something was put away, the chunk that has it is there.
 *
 * If the program was killed while it put something away, that may be there in
 * part.  We do not look at it: it is still on the desk. */
#include "recording_track.h"

#include "base/fail.h"

/* No clock gets there, and two can be added. */
#define TIME_END (UINT64_C(1) << 62)

enum { LONGEST_EVENT = 2 + RECORDING_VALUES * (2 + RECORDING_TEXT / 8) };

const struct plumb_history_chunk *plumb_history_chunk(
    const struct plumb_history_recording_file *f, uint64_t number)
{
    const uint64_t at = plumb_history_chunk_place(number);
    const void *const there = f->data + at;
    return f->size >= at + RECORDING_CHUNK ? there : NULL;
}

/* What is being looked at. */
struct view {
    struct plumb_history_track *t;
    const struct plumb_history_recording_file *f;
    struct plumb_symbols *symbols;
    struct plumb_error *err;
    bool names;
    const struct plumb_history_chunk *chunk;
    uint32_t number;
    uint32_t at, end; /* words that may be read */
};

static bool corrupt(const struct view *v, uint32_t word, const char *what)
{
    plumb_base_fail(v->err, PLUMB_EINPUT, 0,
                    plumb_history_chunk_place(v->number) +
                        sizeof(struct plumb_history_chunk_label) +
                        word * UINT64_C(8),
                    "%s", what);
    return false;
}

static uint64_t load(const _Atomic uint64_t *word)
{
    /* acquire: pairs with the releases of the recorder */
    return atomic_load_explicit(word, memory_order_acquire);
}

/* ---- events ---- */

static bool take_text(struct view *v, uint64_t length, uint32_t *symbol)
{
    uint64_t bytes[(RECORDING_TEXT + 7) / 8];
    const size_t words = plumb_history_recording_text_words((size_t)length);
    if (length > RECORDING_TEXT || words > v->end - v->at)
        return corrupt(v, v->at, "the text is too long");
    for (size_t i = 0; i < words; i++)
        bytes[i] = plumb_history_recording_word(v->chunk, v->at++);
    *symbol = plumb_history_symbols_intern(v->symbols, (const char *)bytes,
                                           (size_t)length);
    if (*symbol != UINT32_MAX)
        return true;
    plumb_base_fail_memory(v->err);
    return false;
}

static bool take_value(struct view *v, unsigned tag, struct plumb_value *value)
{
    uint32_t symbol = 0;
    if (v->at == v->end)
        return corrupt(v, v->at, "a value is missing");
    const uint64_t bits = plumb_history_recording_word(v->chunk, v->at++);
    if (tag > PLUMB_STR || (tag == PLUMB_NIL && bits != 0) ||
        (tag == PLUMB_BOOL && bits > 1))
        return corrupt(v, v->at - 1, "invalid value");
    if (tag == PLUMB_STR && !take_text(v, bits, &symbol))
        return false;
    *value = (struct plumb_value){ tag == PLUMB_STR ? symbol : bits, tag, 0 };
    return true;
}

static bool take_values(struct view *v, uint64_t head)
{
    struct plumb_history_track_event *const e = &v->t->next;
    uint64_t tags = 0x0101010101010101u * PLUMB_INT;
    e->values = plumb_history_recording_values(head);
    if (e->values > RECORDING_VALUES)
        return corrupt(v, v->t->place.at, "the event has too many values");
    if (plumb_history_recording_tagged(head)) {
        if (v->at == v->end)
            return corrupt(v, v->at, "the tags of the values are missing");
        tags = plumb_history_recording_word(v->chunk, v->at++);
    }
    for (uint32_t i = 0; i < e->values; i++)
        if (!take_value(v, tags >> 8 * i & 0xff, &e->value[i]))
            return false;
    return true;
}

static bool take_event(struct view *v, uint64_t head)
{
    struct plumb_history_track *const t = v->t;
    const uint64_t time = t->place.last + plumb_history_recording_passed(head);
    if (time >= TIME_END)
        return corrupt(v, t->place.at, "invalid time");
    if (!take_values(v, head))
        return false;
    t->next.kind = plumb_history_recording_kind(head);
    t->next.name = plumb_history_recording_name(head);
    t->next.object = plumb_history_recording_object(head);
    t->next.time = t->place.last = time;
    t->place.at = v->at;
    t->state = TRACK_READY;
    return true;
}

static bool take_time(struct view *v, bool *again)
{
    struct plumb_history_track *const t = v->t;
    const uint64_t time =
        v->at < v->end ? plumb_history_recording_word(v->chunk, v->at++) : 0;
    if (time < t->place.last || time >= TIME_END)
        return corrupt(v, t->place.at, "invalid time");
    t->place.last = time;
    t->place.at = v->at;
    *again = true;
    return true;
}

static bool take_name(struct view *v, uint64_t head)
{
    struct plumb_history_track *const t = v->t;
    if (!take_text(v, plumb_history_recording_passed(head), &t->next.name))
        return false;
    t->next.kind = plumb_history_recording_kind(head);
    t->place.at = v->at;
    t->state = TRACK_READY;
    return true;
}

/* ---- chunks and desks ---- */

static bool check_sum(struct view *v)
{
    const struct plumb_history_chunk_label *const label = &v->chunk->label;
    if (v->t->checked == v->number + 1)
        return true;
    if (load(&label->used) > RECORDING_ROOM ||
        plumb_history_recording_sum(label, v->chunk->word) !=
            load(&label->checksum))
        return corrupt(v, 0, "the chunk is corrupt: its checksum is wrong");
    v->t->checked = v->number + 1;
    return true;
}

static bool enter(struct view *v)
{
    struct plumb_history_track_place *const place = &v->t->place;
    const uint64_t base = load(&v->chunk->label.base);
    if (place->entered)
        return true;
    if (base < place->last || base >= TIME_END)
        return corrupt(v, 0, "the chunk begins before the previous one ends");
    place->entered = true;
    place->last = base;
    return true;
}

static bool take(struct view *v, uint64_t head, bool *again)
{
    const unsigned kind = plumb_history_recording_kind(head);
    v->at = v->t->place.at + 1;
    if (kind == 0)
        return corrupt(v, v->t->place.at, "invalid event");
    if (v->names)
        return take_name(v, head);
    return kind == RECORDING_TIME ? take_time(v, again) : take_event(v, head);
}

/* What was put away. */
static bool look_at_chunk(struct view *v, bool *again)
{
    struct plumb_history_track_place *const place = &v->t->place;
    if (!check_sum(v) || !enter(v))
        return false;
    v->end = (uint32_t)load(&v->chunk->label.used);
    if (place->at < v->end)
        return take(v, load(&v->chunk->word[place->at]), again);
    if (place->at > v->end)
        return corrupt(v, v->end, "the chunk ends inside an event");
    *again = true;
    place->sequence++;
    place->at = 0;
    place->entered = false;
    return true;
}

/* Nobody writes any more: what was being written may be there in part, but
 * nothing behind it. */
static bool is_blank_behind(const struct view *v)
{
    for (uint32_t i = v->t->place.at + LONGEST_EVENT; i < RECORDING_ROOM; i++)
        if (load(&v->chunk->word[i]) != 0)
            return false;
    return true;
}

static bool find_nothing(struct view *v)
{
    v->t->state = TRACK_DRY;
    if (v->f->final && !v->f->closed && !is_blank_behind(v))
        return corrupt(v, v->t->place.at, "data is missing here");
    return true;
}

static bool look_at_desk(struct view *v, bool *again)
{
    const uint32_t at = v->t->place.at;
    if ((v->f->closed && !check_sum(v)) || !enter(v))
        return false;
    v->end =
        v->f->closed ? (uint32_t)load(&v->chunk->label.used) : RECORDING_ROOM;
    const uint64_t head = at < v->end ? load(&v->chunk->word[at]) : 0;
    return head == 0 ? find_nothing(v) : take(v, head, again);
}

/* ---- looking ---- */

/* On the desk, unless it is cleared meanwhile: then we have seen nothing. */
static bool try_desk(struct view *v, bool *again)
{
    struct plumb_history_track *const t = v->t;
    const struct plumb_history_track_place before = t->place;
    const bool good = look_at_desk(v, again);
    /* acquire: pairs with the release in clear_desk() */
    atomic_thread_fence(memory_order_acquire);
    if (load(&v->chunk->label.state) == 2 * before.sequence)
        return good;
    t->place = before;
    t->state = TRACK_DRY;
    *again = true;
    return true;
}

static bool look_once(struct view *v, bool *again)
{
    struct plumb_history_track *const t = v->t;
    const uint64_t sequence = t->place.sequence;
    v->number = t->desk;
    v->chunk = plumb_history_chunk(v->f, t->desk);
    const uint64_t state = load(&v->chunk->label.state);
    t->state = TRACK_DRY;
    if (state == 2 * sequence)
        return try_desk(v, again);
    if (state + 1 == 2 * sequence)
        return true; /* it is not clean yet */
    if (state < 2 * sequence)
        return corrupt(v, 0, "the state of the desk is invalid");
    if (sequence >= t->chunks || t->chunk[sequence] == NO_CHUNK) {
        t->state = TRACK_MISSING;
        return true;
    }
    v->number = t->chunk[sequence];
    v->chunk = plumb_history_chunk(v->f, v->number);
    return look_at_chunk(v, again);
}

bool plumb_history_track_look(struct plumb_history_track *t, bool names,
                              const struct plumb_history_recording_file *f,
                              struct plumb_symbols *symbols,
                              struct plumb_error *err)
{
    struct view v = {
        .t = t, .f = f, .symbols = symbols, .err = err, .names = names
    };
    bool again = t->state != TRACK_READY;
    while (again) {
        again = false;
        if (!look_once(&v, &again))
            return false;
    }
    return true;
}
