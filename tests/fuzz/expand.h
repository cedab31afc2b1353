/* expand.h - from a few bytes to a recording.
 *
 * Recordings are long and mostly zeros, and checksums are in the way: a fuzzer
 * would find nothing.  So it writes this instead:
 *
 *     flags                    1: closed, 2: all before the mark, 4: sign it
 *     then for each chunk:
 *     thread + 16 if it is a desk + 32 if it says how many words it has
 *     state, words
 *     the words, 8 bytes each
 */
#ifndef TESTS_FUZZ_EXPAND_H
#define TESTS_FUZZ_EXPAND_H

#include "history/recording/recording_format.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { EXPAND_MOST = 6 };

struct expansion {
    const uint8_t *from, *end;
    char *data;
    uint32_t chunks;
    bool sign;
};

static uint8_t next_byte(struct expansion *x)
{
    return x->from < x->end ? *x->from++ : 0;
}

static uint64_t next_word(struct expansion *x)
{
    uint64_t word = 0;
    const size_t left = (size_t)(x->end - x->from);
    memcpy(&word, x->from, left < sizeof word ? left : sizeof word);
    x->from += left < sizeof word ? left : sizeof word;
    return word;
}

static void expand_chunk(struct expansion *x)
{
    void *const at =
        x->data + RECORDING_HEADER + (size_t)x->chunks * RECORDING_CHUNK;
    struct plumb_history_chunk *const c = at;
    const uint8_t what = next_byte(x), state = next_byte(x);
    const uint8_t words = next_byte(x);
    c->label.magic = what & 16 ? RECORDING_DESK_MAGIC : RECORDING_CHUNK_MAGIC;
    c->label.number = x->chunks++;
    c->label.thread = what & 15;
    c->label.taken = c->label.number;
    c->label.base = c->label.number;
    c->label.state = state;
    for (size_t i = 0; i < words; i++)
        c->word[i] = next_word(x);
    c->label.used = what & 32 ? words : 0;
    if (x->sign)
        c->label.checksum = plumb_history_recording_sum(&c->label, c->word);
}

static void expand_header(struct expansion *x, uint8_t flags)
{
    void *const data = x->data;
    struct plumb_history_recording_header *const h = data;
    memcpy(h->magic, RECORDING_MAGIC, sizeof h->magic);
    h->order = RECORDING_ORDER_MARK;
    h->version = RECORDING_VERSION;
    h->header_size = RECORDING_HEADER;
    h->chunk_size = RECORDING_CHUNK;
    h->clock = RECORDING_MONOTONIC;
    h->ticks_per_second = 1;
    h->uncertainty = flags >> 4;
    h->taken = x->chunks;
    h->mark = flags & 2 ? UINT64_MAX : 8;
    h->checksum = plumb_base_fnv(
        PLUMB_FNV, h,
        offsetof(struct plumb_history_recording_header, checksum));
    if (flags & 1)
        h->closed = plumb_history_recording_seal(h->checksum, h->taken, 0);
}

/* The caller frees it. */
static uint8_t *expand(const uint8_t *data, size_t size, size_t *expanded)
{
    struct expansion x = { .from = data, .end = data + size };
    x.data = calloc(1, RECORDING_HEADER + EXPAND_MOST * RECORDING_CHUNK);
    if (!x.data)
        abort();
    const uint8_t flags = next_byte(&x);
    x.sign = flags & 4;
    while (x.from < x.end && x.chunks < EXPAND_MOST)
        expand_chunk(&x);
    expand_header(&x, flags);
    *expanded = RECORDING_HEADER + x.chunks * (size_t)RECORDING_CHUNK;
    return (uint8_t *)x.data;
}

#endif
