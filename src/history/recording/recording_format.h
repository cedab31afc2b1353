/* recording_format.h - a recording as a file: what recorder.c writes and
 * recording.c reads.
 *
 *     header | desk of the names | desk of thread 1 | chunk | chunk | ...
 *
 * A thread writes on its *desk*: a part of the file that is mapped and shared,
 * so that what was stored is in the file even if the process is killed the
 * moment after.  When the desk is full it is copied to the end of the file, as
 * a chunk, and cleared.  (Mapping ever new parts of a file costs three times as
 * much.)  A thread's chunks in their sequence, and then its desk, are one
 * stream of events.  Thread 0 is nobody: its stream is the table of names.
 *
 * An event is a *head*, a word that is stored last and is not zero, and the
 * words behind it.  What is zero has not been written yet.  So a reader that
 * sees a head sees all of the event; unless the desk was cleared meanwhile,
 * which its `state` tells. */
#ifndef PLUMB_HISTORY_RECORDING_RECORDING_FORMAT_H
#define PLUMB_HISTORY_RECORDING_RECORDING_FORMAT_H

#include "base/fnv.h"
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RECORDING_VERSION = 1,
    RECORDING_HEADER = 65536, /* mapped as chunks are; almost all a hole */
    RECORDING_CHUNK = 65536,
    RECORDING_WORDS = RECORDING_CHUNK / 8,
    RECORDING_NAMES = 512,
    RECORDING_OBJECTS = 65536,
    RECORDING_VALUES = 8,
    RECORDING_TEXT = 255
};

#define RECORDING_MAGIC       "\x89PlRec\r\n"
#define RECORDING_CHUNK_MAGIC 0x6b6e6843u /* "Chnk", in little-endian order */
#define RECORDING_DESK_MAGIC  0x6b736544u /* "Desk" */
#define RECORDING_ORDER_MARK  0x0a0b0c0du

enum plumb_history_recording_clock {
    RECORDING_TSC = 1,
    RECORDING_CNTVCT,
    RECORDING_MONOTONIC /* CLOCK_MONOTONIC, nanoseconds */
};

/* The words that change are alone in a cache line. */
struct plumb_history_recording_header {
    char magic[8];
    uint32_t order, version;
    uint32_t header_size, chunk_size;
    uint32_t clock; /* enum plumb_history_recording_clock */
    uint32_t zero;
    uint64_t ticks_per_second;
    uint64_t uncertainty;   /* ticks                                       */
    uint64_t device, inode; /* where it was written: a copy has another    */
    uint64_t checksum;      /* FNV-1a of all bytes before                  */
    uint64_t padding[7];
    /* Whatever was stamped before `mark` minus uncertainty, and had an effect,
     * was in the file when `mark` was written. */
    _Atomic uint64_t mark;
    _Atomic uint64_t taken;   /* chunks                                    */
    _Atomic uint64_t stopped; /* 0, or: from then on something is missing  */
    _Atomic uint64_t
        closed; /* 0, or plumb_history_recording_seal(): nobody writes     */
    uint64_t padding_behind[4];
};

static_assert(offsetof(struct plumb_history_recording_header, mark) == 128,
              "as documented");
static_assert(sizeof(_Atomic uint64_t) == 8, "an atomic word is a word");

/* What a chunk, or a desk, begins with: which of the two, `magic` tells. */
struct plumb_history_chunk_label {
    _Atomic uint32_t magic;
    uint32_t number; /* of this one in the file                           */
    uint32_t thread; /* 1, 2, ...; 0 is the table of names                */
    uint32_t zero;
    uint64_t taken; /* stamp: those of higher numbers were taken later    */
    /* Twice its sequence among what its thread wrote; and 1 more while the desk
     * is being cleared after that. */
    _Atomic uint64_t state;
    _Atomic uint64_t base;     /* stamp: its first event is relative to it */
    _Atomic uint64_t used;     /* words, or 0 while it is being filled     */
    _Atomic uint64_t checksum; /* of all before it, and the words used     */
    _Atomic uint64_t copy;     /* of a desk: the chunk that it is being copied
                                  to, + 1; or 0 */
};

static_assert(sizeof(struct plumb_history_chunk_label) == 64, "as documented");

struct plumb_history_chunk {
    struct plumb_history_chunk_label label;
    _Atomic uint64_t word[RECORDING_WORDS - 8];
};

static_assert(sizeof(struct plumb_history_chunk) == RECORDING_CHUNK, "a chunk");

enum { RECORDING_ROOM = RECORDING_WORDS - 8 };

static inline uint64_t plumb_history_recording_word(
    const struct plumb_history_chunk *c, uint64_t i)
{
    return atomic_load_explicit(&c->word[i], memory_order_relaxed);
}

/* ---- heads ----
 *
 *     63       32 31    16 15    7     6    5   2 1  0
 *     time passed | object | name | tagged | values | kind
 *
 * Time is counted from the event before, in ticks.  A CLOCK event has no more
 * than its kind, and one word: the time, in full.  If the event is tagged, a
 * word of tags follows, a byte per value; else all are integers.  Then the
 * values, a word each; behind the word of a text, which is its length, its
 * bytes in as many words as it takes.
 *
 * In the table of names, CALL introduces the next name, RETURN the next object
 * and TIME a specification; the time is the length of the text that follows. */

enum plumb_history_recording_kind {
    RECORDING_CALL = 1,
    RECORDING_RETURN,
    RECORDING_TIME
};

static inline uint64_t plumb_history_recording_head(
    enum plumb_history_recording_kind kind, size_t values, int tagged,
    uint32_t name, uint32_t object, uint64_t passed)
{
    return (uint64_t)kind | (uint64_t)values << 2 | (uint64_t)tagged << 6 |
           (uint64_t)name << 7 | (uint64_t)object << 16 | passed << 32;
}

static inline unsigned plumb_history_recording_kind(uint64_t head)
{
    return head & 3;
}

static inline unsigned plumb_history_recording_values(uint64_t head)
{
    return head >> 2 & 15;
}

static inline unsigned plumb_history_recording_tagged(uint64_t head)
{
    return head >> 6 & 1;
}

static inline uint32_t plumb_history_recording_name(uint64_t head)
{
    return head >> 7 & (RECORDING_NAMES - 1);
}

static inline uint32_t plumb_history_recording_object(uint64_t head)
{
    return head >> 16 & (RECORDING_OBJECTS - 1);
}

static inline uint64_t plumb_history_recording_passed(uint64_t head)
{
    return head >> 32;
}

static inline size_t plumb_history_recording_text_words(size_t length)
{
    return (length + 7) / 8;
}

/* ---- checksums ---- */

static inline uint64_t plumb_history_recording_mix(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
    return sum ^ sum >> 29;
}

static inline uint64_t plumb_history_recording_mix_in(
    uint64_t sum, const _Atomic uint64_t *word)
{
    return plumb_history_recording_mix(
        sum, atomic_load_explicit(word, memory_order_relaxed));
}

/* Of a label and the words that it is for.  Four sums side by side, which is what a
 * processor can do at once; every step can be undone, so that one changed word
 * always changes the result. */
static inline uint64_t plumb_history_recording_sum(
    const struct plumb_history_chunk_label *label, const _Atomic uint64_t *word)
{
    const uint64_t used =
        atomic_load_explicit(&label->used, memory_order_relaxed);
    uint64_t a = atomic_load_explicit(&label->magic, memory_order_relaxed) |
                 (uint64_t)label->number << 32;
    uint64_t b = label->thread | (uint64_t)label->zero << 32;
    uint64_t c = label->taken, d = used;
    uint64_t i = 0;
    a = plumb_history_recording_mix_in(
        plumb_history_recording_mix_in(a, &label->state), &label->base);
    for (; i + 4 <= used; i += 4) {
        a = plumb_history_recording_mix_in(a, word + i);
        b = plumb_history_recording_mix_in(b, word + i + 1);
        c = plumb_history_recording_mix_in(c, word + i + 2);
        d = plumb_history_recording_mix_in(d, word + i + 3);
    }
    for (; i < used; i++)
        a = plumb_history_recording_mix_in(a, word + i);
    return plumb_history_recording_mix(
        plumb_history_recording_mix(plumb_history_recording_mix(a, b), c), d);
}

/* The word `closed` of a file that was closed. */
static inline uint64_t plumb_history_recording_seal(uint64_t checksum,
                                                    uint64_t taken,
                                                    uint64_t stopped)
{
    const uint64_t words[3] = { checksum, taken, stopped };
    return plumb_base_fnv(PLUMB_FNV, words, sizeof words) | 1;
}

#endif
