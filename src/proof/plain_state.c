/* plain_state.c - lists, tables, and states made of them. */
#include "plain_state.h"

#include "base/hash.h"
#include "base/memory.h"
#include "plain.h"
#include <assert.h>
#include <string.h>

enum { UNINDEXED = 8 }; /* tables this small are searched from end to end */

/* ---- lists ---- */

/* Move the items to the middle of a block three times their size.  Both ends
 * then have as much room as there are items, so pushes are O(1) on average
 * whatever their pattern. */
static bool make_room(struct plumb_proof_plain *p,
                      struct plumb_proof_plain_list *l)
{
    const size_t slack = l->count + 4;
    const size_t capacity = slack + l->count + slack;
    struct plumb_value *const item =
        plumb_base_alloc(p->budget, capacity * sizeof *item);
    if (!item)
        return false;
    if (l->count)
        memcpy(item + slack, plumb_proof_plain_at(l, 0),
               l->count * sizeof *item);
    plumb_base_release(p->budget, l->item, l->capacity * sizeof *item);
    l->item = item;
    l->first = slack;
    l->capacity = capacity;
    return true;
}

bool plumb_proof_plain_push_back(struct plumb_proof_plain *p,
                                 struct plumb_proof_plain_list *l,
                                 struct plumb_value v)
{
    if (l->first + l->count == l->capacity && !make_room(p, l))
        return false;
    l->item[l->first + l->count++] = v;
    return true;
}

bool plumb_proof_plain_push_front(struct plumb_proof_plain *p,
                                  struct plumb_proof_plain_list *l,
                                  struct plumb_value v)
{
    if (l->first == 0 && !make_room(p, l))
        return false;
    l->item[--l->first] = v;
    l->count++;
    return true;
}

/* An empty list goes back to the middle of its block. */
static struct plumb_value take_item(struct plumb_proof_plain_list *l,
                                    size_t place)
{
    const struct plumb_value v = l->item[place];
    if (--l->count == 0)
        l->first = l->capacity / 2;
    return v;
}

struct plumb_value plumb_proof_plain_pop_back(struct plumb_proof_plain_list *l)
{
    assert(l->count);
    return take_item(l, l->first + l->count - 1);
}

struct plumb_value plumb_proof_plain_pop_front(struct plumb_proof_plain_list *l)
{
    assert(l->count);
    return take_item(l, l->first++);
}

static bool copy_list(struct plumb_proof_plain *p,
                      struct plumb_proof_plain_list *to,
                      const struct plumb_proof_plain_list *from)
{
    if (!from->count)
        return true;
    to->item = plumb_base_alloc(p->budget, from->count * sizeof *to->item);
    if (!to->item)
        return false;
    memcpy(to->item, plumb_proof_plain_at(from, 0),
           from->count * sizeof *to->item);
    to->count = to->capacity = from->count;
    return true;
}

/* ---- texts ---- */

bool plumb_proof_plain_text_append(struct plumb_proof_plain *p,
                                   struct plumb_proof_plain_text *t,
                                   const char *data, size_t size)
{
    if (!PLUMB_GROW(p->budget, t->data, t->capacity, t->size + size))
        return false;
    if (size)
        memcpy(t->data + t->size, data, size);
    t->size += size;
    return true;
}

void plumb_proof_plain_text_free(struct plumb_proof_plain *p,
                                 struct plumb_proof_plain_text *t)
{
    if (!t)
        return;
    plumb_base_release(p->budget, t->data, t->capacity);
    plumb_base_release(p->budget, t, sizeof *t);
}

static bool copy_text(struct plumb_proof_plain *p,
                      struct plumb_proof_plain_entry *e)
{
    const struct plumb_proof_plain_text *const from = e->text;
    e->text = plumb_base_alloc_zeroed(p->budget, sizeof *e->text);
    return e->text &&
           plumb_proof_plain_text_append(p, e->text, from->data, from->size);
}

const char *plumb_proof_plain_entry_text(
    const struct plumb_proof_plain *p, const struct plumb_proof_plain_entry *e,
    size_t *size)
{
    if (e->text) {
        *size = e->text->size;
        return e->text->data ? e->text->data : "";
    }
    if (e->value.tag != PLUMB_STR)
        return NULL;
    return plumb_proof_plain_symbol(p, (uint32_t)e->value.bits, size);
}

/* ---- tables ---- */

static uint64_t hash_value(struct plumb_value v)
{
    return plumb_base_mix(v.bits, v.tag);
}

static uint64_t hash_key(struct plumb_value key, struct plumb_value second)
{
    return plumb_base_mix(hash_value(key), hash_value(second));
}

static bool has_key(const struct plumb_proof_plain_entry *e,
                    struct plumb_value key, struct plumb_value second)
{
    return plumb_value_equal(e->key[0], key) &&
           plumb_value_equal(e->key[1], second);
}

static struct plumb_proof_plain_entry *scan(
    const struct plumb_proof_plain_table *t, struct plumb_value key,
    struct plumb_value second)
{
    for (size_t i = 0; i < t->count; i++)
        if (has_key(t->entry + i, key, second))
            return t->entry + i;
    return NULL;
}

/* The slot of a key, or the free one where it belongs.  Keys are removed, too,
 * which base/index.h cannot do. */
static size_t find_slot(const struct plumb_proof_plain_table *t,
                        struct plumb_value key, struct plumb_value second)
{
    const size_t mask = t->slots - 1;
    size_t i = (size_t)hash_key(key, second) & mask;
    while (t->slot[i] && !has_key(t->entry + t->slot[i] - 1, key, second))
        i = (i + 1) & mask;
    return i;
}

struct plumb_proof_plain_entry *plumb_proof_plain_find(
    const struct plumb_proof_plain_table *t, struct plumb_value key,
    struct plumb_value second)
{
    if (!t->slots)
        return scan(t, key, second);
    const uint32_t found = t->slot[find_slot(t, key, second)];
    return found ? t->entry + found - 1 : NULL;
}

static bool index_table(struct plumb_proof_plain *p,
                        struct plumb_proof_plain_table *t, size_t slots)
{
    uint32_t *const slot =
        plumb_base_alloc_zeroed(p->budget, slots * sizeof *slot);
    if (!slot)
        return false;
    plumb_base_release(p->budget, t->slot, t->slots * sizeof *slot);
    t->slot = slot;
    t->slots = slots;
    for (size_t i = 0; i < t->count; i++) {
        const struct plumb_proof_plain_entry *const e = t->entry + i;
        slot[find_slot(t, e->key[0], e->key[1])] = (uint32_t)(i + 1);
    }
    return true;
}

/* At most half of the slots are in use. */
static bool make_slot(struct plumb_proof_plain *p,
                      struct plumb_proof_plain_table *t)
{
    if (t->count < UNINDEXED || 2 * (t->count + 1) <= t->slots)
        return true;
    return index_table(p, t, t->slots ? 2 * t->slots : 4 * UNINDEXED);
}

struct plumb_proof_plain_entry *plumb_proof_plain_enter(
    struct plumb_proof_plain *p, struct plumb_proof_plain_table *t,
    struct plumb_value key, struct plumb_value second)
{
    struct plumb_proof_plain_entry *const there =
        plumb_proof_plain_find(t, key, second);
    if (there)
        return there;
    if (!PLUMB_GROW(p->budget, t->entry, t->capacity, t->count + 1) ||
        !make_slot(p, t))
        return NULL;
    struct plumb_proof_plain_entry *const e = t->entry + t->count++;
    *e =
        (struct plumb_proof_plain_entry){ { key, second }, PLAIN_ABSENT, NULL };
    if (t->slots)
        t->slot[find_slot(t, key, second)] = (uint32_t)t->count;
    return e;
}

/* Free slot i, and move back those behind it that it would cut off from where
 * their search begins. */
static void free_slot(struct plumb_proof_plain_table *t, size_t i)
{
    const size_t mask = t->slots - 1;
    t->slot[i] = 0;
    for (size_t j = (i + 1) & mask; t->slot[j]; j = (j + 1) & mask) {
        const struct plumb_proof_plain_entry *const e =
            t->entry + t->slot[j] - 1;
        const size_t home = (size_t)hash_key(e->key[0], e->key[1]) & mask;
        if (((j - home) & mask) < ((j - i) & mask))
            continue;
        t->slot[i] = t->slot[j];
        t->slot[j] = 0;
        i = j;
    }
}

/* The last entry takes the place of the erased one. */
void plumb_proof_plain_erase(struct plumb_proof_plain *p,
                             struct plumb_proof_plain_table *t,
                             struct plumb_proof_plain_entry *e)
{
    struct plumb_proof_plain_entry *const last = t->entry + t->count - 1;
    assert(e >= t->entry && e <= last);
    plumb_proof_plain_text_free(p, e->text);
    if (t->slots) {
        free_slot(t, find_slot(t, e->key[0], e->key[1]));
        if (e != last)
            t->slot[find_slot(t, last->key[0], last->key[1])] =
                (uint32_t)(e - t->entry) + 1;
    }
    *e = *last;
    t->count--;
}

uint64_t plumb_proof_plain_count(const struct plumb_proof_plain_table *t,
                                 struct plumb_value key,
                                 struct plumb_value second)
{
    const struct plumb_proof_plain_entry *const e =
        plumb_proof_plain_find(t, key, second);
    return e ? e->value.bits : 0;
}

bool plumb_proof_plain_count_up(struct plumb_proof_plain *p,
                                struct plumb_proof_plain_table *t,
                                struct plumb_value key,
                                struct plumb_value second)
{
    struct plumb_proof_plain_entry *const e =
        plumb_proof_plain_enter(p, t, key, second);
    if (!e)
        return false;
    if (plumb_proof_plain_is_absent(e->value))
        e->value = plumb_int(0);
    e->value.bits++;
    return true;
}

void plumb_proof_plain_count_down(struct plumb_proof_plain *p,
                                  struct plumb_proof_plain_table *t,
                                  struct plumb_value key,
                                  struct plumb_value second)
{
    struct plumb_proof_plain_entry *const e =
        plumb_proof_plain_find(t, key, second);
    assert(e && e->value.bits);
    if (--e->value.bits == 0)
        plumb_proof_plain_erase(p, t, e);
}

static bool copy_entries(struct plumb_proof_plain *p,
                         struct plumb_proof_plain_table *to,
                         const struct plumb_proof_plain_table *from)
{
    to->entry = plumb_base_alloc(p->budget, from->count * sizeof *to->entry);
    if (!to->entry)
        return false;
    to->capacity = from->count;
    for (size_t i = 0; i < from->count; i++) {
        to->entry[to->count++] = from->entry[i];
        if (from->entry[i].text && !copy_text(p, to->entry + i))
            return false;
    }
    return true;
}

static bool copy_table(struct plumb_proof_plain *p,
                       struct plumb_proof_plain_table *to,
                       const struct plumb_proof_plain_table *from)
{
    if (!from->count)
        return true;
    if (!copy_entries(p, to, from))
        return false;
    if (to->count <= UNINDEXED)
        return true;
    size_t slots = 4 * UNINDEXED;
    while (slots < 2 * (to->count + 1))
        slots *= 2;
    return index_table(p, to, slots);
}

static void release_table(struct plumb_proof_plain *p,
                          struct plumb_proof_plain_table *t)
{
    for (size_t i = 0; i < t->count; i++)
        plumb_proof_plain_text_free(p, t->entry[i].text);
    PLUMB_RELEASE(p->budget, t->entry, t->capacity);
    PLUMB_RELEASE(p->budget, t->slot, t->slots);
}

/* A string counts by its bytes, whether it is a symbol or was appended. */
static bool equal_entries(const struct plumb_proof_plain *p,
                          const struct plumb_proof_plain_entry *a,
                          const struct plumb_proof_plain_entry *b)
{
    size_t size_a, size_b;
    if (!a->text && !b->text)
        return plumb_value_equal(a->value, b->value);
    const char *const text_a = plumb_proof_plain_entry_text(p, a, &size_a);
    const char *const text_b = plumb_proof_plain_entry_text(p, b, &size_b);
    return text_a && text_b && size_a == size_b &&
           memcmp(text_a, text_b, size_a) == 0;
}

static uint64_t hash_entry(const struct plumb_proof_plain *p,
                           const struct plumb_proof_plain_entry *e)
{
    size_t size;
    const char *const text = plumb_proof_plain_entry_text(p, e, &size);
    return plumb_base_mix(hash_key(e->key[0], e->key[1]),
                          text ? plumb_base_hash_bytes(text, size)
                               : hash_value(e->value));
}

static bool equal_tables(const struct plumb_proof_plain *p,
                         const struct plumb_proof_plain_table *a,
                         const struct plumb_proof_plain_table *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        const struct plumb_proof_plain_entry *const x = a->entry + i;
        const struct plumb_proof_plain_entry *const y =
            plumb_proof_plain_find(b, x->key[0], x->key[1]);
        if (!y || !equal_entries(p, x, y))
            return false;
    }
    return true;
}

/* ---- states ---- */

struct plumb_proof_plain_state *plumb_proof_plain_state_new(
    struct plumb_proof_plain *p)
{
    struct plumb_proof_plain_state *const s =
        plumb_base_alloc_zeroed(p->budget, sizeof *s);
    if (!s || !p->state_size)
        return s;
    s->bytes = plumb_base_alloc_zeroed(p->budget, p->state_size);
    if (s->bytes)
        return s;
    plumb_proof_plain_state_free(p, s);
    return NULL;
}

struct plumb_proof_plain_state *plumb_proof_plain_state_copy(
    struct plumb_proof_plain *p, const struct plumb_proof_plain_state *s)
{
    struct plumb_proof_plain_state *const copy = plumb_proof_plain_state_new(p);
    if (!copy)
        return NULL;
    p->work += (s->list.count + s->table.count) / 16;
    copy->value = s->value;
    copy->number = s->number;
    if (s->bytes)
        memcpy(copy->bytes, s->bytes, p->state_size);
    if (copy_list(p, &copy->list, &s->list) &&
        copy_table(p, &copy->table, &s->table) &&
        copy_list(p, &copy->heap, &s->heap))
        return copy;
    plumb_proof_plain_state_free(p, copy);
    return NULL;
}

void plumb_proof_plain_state_free(struct plumb_proof_plain *p,
                                  struct plumb_proof_plain_state *s)
{
    if (!s)
        return;
    PLUMB_RELEASE(p->budget, s->list.item, s->list.capacity);
    release_table(p, &s->table);
    PLUMB_RELEASE(p->budget, s->heap.item, s->heap.capacity);
    plumb_base_release(p->budget, s->bytes, p->state_size);
    plumb_base_release(p->budget, s, sizeof *s);
}

bool plumb_proof_plain_state_equal(const struct plumb_proof_plain *p,
                                   const struct plumb_proof_plain_state *a,
                                   const struct plumb_proof_plain_state *b)
{
    if (a->number != b->number || !plumb_value_equal(a->value, b->value) ||
        a->list.count != b->list.count)
        return false;
    for (size_t i = 0; i < a->list.count; i++)
        if (!plumb_value_equal(*plumb_proof_plain_at(&a->list, i),
                               *plumb_proof_plain_at(&b->list, i)))
            return false;
    if (a->bytes && memcmp(a->bytes, b->bytes, p->state_size) != 0)
        return false;
    return equal_tables(p, &a->table, &b->table);
}

/* Entries are added up, because their order means nothing. */
uint64_t plumb_proof_plain_state_hash(const struct plumb_proof_plain *p,
                                      const struct plumb_proof_plain_state *s)
{
    uint64_t hash = plumb_base_mix(s->number, hash_value(s->value));
    for (size_t i = 0; i < s->list.count; i++)
        hash = plumb_base_mix(hash,
                              hash_value(*plumb_proof_plain_at(&s->list, i)));
    uint64_t sum = 0;
    for (size_t i = 0; i < s->table.count; i++)
        sum += hash_entry(p, s->table.entry + i);
    if (s->bytes)
        sum += plumb_base_hash_bytes(s->bytes, p->state_size);
    return plumb_base_mix(hash, sum);
}
