/* object_image.c - the states of an object whose variables are all its state.
 */
#include "object_image.h"

#include "app/binary/writable_memory.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/vector.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 64 };

/* A piece of memory with another content than in state 0. */
struct piece {
    char *at;
    size_t size; /* PIECE, or less at the end of a part */
    char bytes[PIECE];
};

struct image {
    uint64_t hash;
    size_t first; /* of its pieces */
    size_t pieces;
};

static struct {
    struct binary_writable_memory memory;
    char *initial[MEMORY_PARTS]; /* the content of each part in state 0 */
    PLUMB_VECTOR(struct piece) piece;
    PLUMB_VECTOR(struct image) image;
    struct plumb_base_index index; /* of all images but the first, by hash */
    uint32_t now; /* the state that the memory was last known to be in */
} store;

/* ---- what is different ---- */

static bool add_piece(char *at, size_t size)
{
    struct piece p = { .at = at, .size = size };
    memcpy(p.bytes, at, size);
    return PLUMB_PUSH(NULL, &store.piece, p);
}

static bool add_differences(unsigned part)
{
    char *const memory = store.memory.part[part].at;
    const char *const initial = store.initial[part];
    const size_t size = store.memory.part[part].size;
    for (size_t at = 0; at < size; at += PIECE) {
        const size_t length = size - at < PIECE ? size - at : PIECE;
        if (memcmp(memory + at, initial + at, length) != 0 &&
            !add_piece(memory + at, length))
            return false;
    }
    return true;
}

/* The memory as it is, behind the pieces of the known states. */
static bool take_image(struct image *image)
{
    image->first = store.piece.count;
    for (unsigned i = 0; i < store.memory.parts; i++)
        if (!add_differences(i))
            return false;
    image->pieces = store.piece.count - image->first;
    image->hash = plumb_base_hash_bytes(store.piece.at + image->first,
                                        image->pieces * sizeof(struct piece));
    return true;
}

static bool is_same(const struct image *a, const struct image *b)
{
    return a->hash == b->hash && a->pieces == b->pieces &&
           memcmp(store.piece.at + a->first, store.piece.at + b->first,
                  a->pieces * sizeof(struct piece)) == 0;
}

/* ---- numbering ---- */

static uint64_t hash_of(const void *unused, uint32_t number)
{
    (void)unused;
    return store.image.at[number].hash;
}

static uint32_t number_of(const struct image *image)
{
    const uint32_t number = (uint32_t)store.image.count;
    if (!plumb_base_index_room(&store.index, hash_of, NULL))
        return UINT32_MAX;
    struct plumb_base_probe p =
        plumb_base_index_probe(&store.index, image->hash);
    PLUMB_FOR_CANDIDATES(&store.index, &p, known)
        if (is_same(&store.image.at[known], image)) {
            store.piece.count = image->first;
            return known;
        }
    if (!PLUMB_PUSH(NULL, &store.image, *image))
        return UINT32_MAX;
    plumb_base_index_put(&store.index, &p, number);
    return number;
}

uint32_t object_image_state(void)
{
    struct image image;
    if (!take_image(&image))
        return UINT32_MAX;
    store.now = image.pieces ? number_of(&image) : 0;
    return store.now;
}

/* ---- going back ---- */

static const char *initial_content(const char *at)
{
    unsigned i = 0;
    while (at < store.memory.part[i].at ||
           at >= store.memory.part[i].at + store.memory.part[i].size)
        i++;
    return store.initial[i] + (at - store.memory.part[i].at);
}

void object_image_enter(uint32_t state)
{
    assert(state < store.image.count);
    const struct image *const old = &store.image.at[store.now];
    const struct image *const new = &store.image.at[state];
    const struct piece *p = store.piece.at + old->first;
    for (const struct piece *const end = p + old->pieces; p < end; p++)
        memcpy(p->at, initial_content(p->at), p->size);
    p = store.piece.at + new->first;
    for (const struct piece *const end = p + new->pieces; p < end; p++)
        memcpy(p->at, p->bytes, p->size);
    store.now = state;
}

void object_image_forget(void)
{
    if (store.image.count == 0)
        return;
    object_image_enter(0);
    store.image.count = 1;
    store.piece.count = 0;
    plumb_base_index_clear(&store.index);
}

bool object_image_begin(const struct plumb_object *object)
{
    if (!binary_writable_memory_find(&store.memory, object))
        return false;
    for (unsigned i = 0; i < store.memory.parts; i++) {
        const size_t size = store.memory.part[i].size;
        store.initial[i] = malloc(size);
        if (!store.initial[i])
            return false;
        memcpy(store.initial[i], store.memory.part[i].at, size);
    }
    plumb_base_index_init(&store.index, NULL);
    return PLUMB_PUSH(NULL, &store.image, (struct image){ .pieces = 0 });
}
