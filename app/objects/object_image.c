/* object_image.c - the states of an object whose variables are all its state.
 */
#include "object_image.h"

#include "app/binary/writable_memory.h"
#include "base/hash.h"
#include <stdlib.h>
#include <string.h>

enum { PIECE = 64, FIRST_HEADS = 1024 };

/* A piece of memory with another content than in state 0. */
struct piece {
    char *at;
    size_t size; /* PIECE, or less at the end of a part */
    char bytes[PIECE];
};

struct image {
    uint64_t hash;
    size_t first; /* of its pieces */
    uint32_t pieces;
    uint32_t next; /* with the same hash; 0 ends, as state 0 is never there */
};

static struct {
    struct binary_writable_memory memory;
    char *initial[MEMORY_PARTS]; /* the content of each part in state 0 */
    struct piece *piece;
    size_t pieces, room_for_pieces;
    struct image *image;
    uint32_t images, room_for_images;
    uint32_t *head, heads;
    uint32_t now; /* the state that the memory was last known to be in */
} store;

static bool grow(void **block, size_t *room, size_t wanted, size_t size)
{
    if (wanted <= *room)
        return true;
    const size_t more = 2 * wanted;
    void *const grown = realloc(*block, more * size);
    if (!grown)
        return false;
    *block = grown;
    *room = more;
    return true;
}

static bool room_for_piece(void)
{
    void *block = store.piece;
    const bool there = grow(&block, &store.room_for_pieces, store.pieces + 1,
                            sizeof *store.piece);
    store.piece = block;
    return there;
}

static bool room_for_image(void)
{
    void *block = store.image;
    size_t room = store.room_for_images;
    const bool there =
        grow(&block, &room, (size_t)store.images + 1, sizeof *store.image);
    store.image = block;
    store.room_for_images = (uint32_t)room;
    return there;
}

/* ---- what is different ---- */

static bool add_piece(char *at, size_t size)
{
    if (!room_for_piece())
        return false;
    struct piece *const p = &store.piece[store.pieces++];
    p->at = at;
    p->size = size;
    memset(p->bytes, 0, sizeof p->bytes);
    memcpy(p->bytes, at, size);
    return true;
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
    image->first = store.pieces;
    for (unsigned i = 0; i < store.memory.parts; i++)
        if (!add_differences(i))
            return false;
    image->pieces = (uint32_t)(store.pieces - image->first);
    image->hash = plumb_base_hash_bytes(store.piece + image->first,
                                        image->pieces * sizeof *store.piece);
    return true;
}

static bool is_same(const struct image *a, const struct image *b)
{
    return a->hash == b->hash && a->pieces == b->pieces &&
           memcmp(store.piece + a->first, store.piece + b->first,
                  a->pieces * sizeof *store.piece) == 0;
}

/* ---- numbering ---- */

static void rehash(void)
{
    memset(store.head, 0, store.heads * sizeof *store.head);
    for (uint32_t i = 1; i < store.images; i++) {
        uint32_t *const head =
            &store.head[store.image[i].hash & (store.heads - 1)];
        store.image[i].next = *head;
        *head = i;
    }
}

static bool room_for_heads(void)
{
    if (store.images < store.heads)
        return true;
    uint32_t *const head =
        realloc(store.head, 2 * (size_t)store.heads * sizeof *store.head);
    if (!head)
        return false;
    store.head = head;
    store.heads *= 2;
    rehash();
    return true;
}

static uint32_t number_of(struct image *image)
{
    uint32_t *head = &store.head[image->hash & (store.heads - 1)];
    for (uint32_t i = *head; i; i = store.image[i].next)
        if (is_same(&store.image[i], image)) {
            store.pieces = image->first;
            return i;
        }
    if (!room_for_image() || !room_for_heads())
        return UINT32_MAX;
    head = &store.head[image->hash & (store.heads - 1)];
    image->next = *head;
    store.image[store.images] = *image;
    *head = store.images;
    return store.images++;
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
    const struct image *const old = &store.image[store.now];
    const struct image *const new = &store.image[state];
    for (size_t i = old->first; i < old->first + old->pieces; i++)
        memcpy(store.piece[i].at, initial_content(store.piece[i].at),
               store.piece[i].size);
    for (size_t i = new->first; i < new->first + new->pieces; i++)
        memcpy(store.piece[i].at, store.piece[i].bytes, store.piece[i].size);
    store.now = state;
}

void object_image_forget(void)
{
    if (store.images == 0)
        return;
    object_image_enter(0);
    store.images = 1;
    store.pieces = 0;
    memset(store.head, 0, store.heads * sizeof *store.head);
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
    store.heads = FIRST_HEADS;
    store.head = calloc(store.heads, sizeof *store.head);
    if (!store.head || !room_for_image())
        return false;
    store.image[store.images++] = (struct image){ .pieces = 0 };
    return true;
}
