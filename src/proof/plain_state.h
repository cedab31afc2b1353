/* plain_state.h - what an object holds, for the plain specifications.
 *
 * One struct serves every type: a list, a table, a value, a number and, for
 * users' specifications, bytes.  A type uses the parts it needs and leaves the
 * others empty, so copying, comparing and hashing are written once.
 *
 * Two states are equal iff the object behaves alike in them; every type keeps
 * its parts in a form that makes this so (see the comments in its file). */
#ifndef PLUMB_PROOF_PLAIN_STATE_H
#define PLUMB_PROOF_PLAIN_STATE_H

#include <assert.h>
#include <plumb/history.h>

struct plumb_proof_plain;

/* A value that no history can hold: a hole in a list, a key without value. */
#define PLAIN_ABSENT ((struct plumb_value){ 0, UINT32_MAX, 0 })

static inline bool plumb_proof_plain_is_absent(struct plumb_value v)
{
    return v.tag == UINT32_MAX;
}

/* item[first .. first + count), with room at both ends. */
struct plumb_proof_plain_list {
    struct plumb_value *item;
    size_t first, count, capacity;
};

/* A text that was made by appending, and is no symbol of the history. */
struct plumb_proof_plain_text {
    char *data;
    size_t size, capacity;
};

/* A key (of one or two parts) with a value, or with a text in its place. */
struct plumb_proof_plain_entry {
    struct plumb_value key[2];
    struct plumb_value value;
    struct plumb_proof_plain_text *text;
};

/* entry[] is dense, in no particular order; slot[] finds keys in it. */
struct plumb_proof_plain_table {
    struct plumb_proof_plain_entry *entry;
    size_t count, capacity;
    uint32_t *slot; /* open addressing: entry + 1, or 0 */
    size_t slots;
};

struct plumb_proof_plain_state {
    struct plumb_proof_plain_list list;
    struct plumb_proof_plain_table table;
    struct plumb_proof_plain_list
        heap; /* an index of the table: not compared */
    struct plumb_value value;
    uint64_t number;
    void *bytes;
};

/* Functions that allocate return false or NULL when memory is used up. */
struct plumb_proof_plain_state *plumb_proof_plain_state_new(
    struct plumb_proof_plain *p);
struct plumb_proof_plain_state *plumb_proof_plain_state_copy(
    struct plumb_proof_plain *p, const struct plumb_proof_plain_state *s);
void plumb_proof_plain_state_free(struct plumb_proof_plain *p,
                                  struct plumb_proof_plain_state *s);
bool plumb_proof_plain_state_equal(const struct plumb_proof_plain *p,
                                   const struct plumb_proof_plain_state *a,
                                   const struct plumb_proof_plain_state *b);
uint64_t plumb_proof_plain_state_hash(const struct plumb_proof_plain *p,
                                      const struct plumb_proof_plain_state *s);

bool plumb_proof_plain_push_back(struct plumb_proof_plain *p,
                                 struct plumb_proof_plain_list *l,
                                 struct plumb_value v);
bool plumb_proof_plain_push_front(struct plumb_proof_plain *p,
                                  struct plumb_proof_plain_list *l,
                                  struct plumb_value v);
struct plumb_value plumb_proof_plain_pop_back(struct plumb_proof_plain_list *l);
struct plumb_value plumb_proof_plain_pop_front(
    struct plumb_proof_plain_list *l);

static inline struct plumb_value *plumb_proof_plain_at(
    const struct plumb_proof_plain_list *l, size_t i)
{
    assert(i < l->count);
    return l->item + l->first + i;
}

/* The entry of a key; NULL if there is none.  Keys of one part have an absent
 * second part. */
struct plumb_proof_plain_entry *plumb_proof_plain_find(
    const struct plumb_proof_plain_table *t, struct plumb_value key,
    struct plumb_value second);

/* The same, made with an absent value if need be. */
struct plumb_proof_plain_entry *plumb_proof_plain_enter(
    struct plumb_proof_plain *p, struct plumb_proof_plain_table *t,
    struct plumb_value key, struct plumb_value second);
void plumb_proof_plain_erase(struct plumb_proof_plain *p,
                             struct plumb_proof_plain_table *t,
                             struct plumb_proof_plain_entry *e);

/* Tables that count: how many, one more, one less of something that is there.
 */
uint64_t plumb_proof_plain_count(const struct plumb_proof_plain_table *t,
                                 struct plumb_value key,
                                 struct plumb_value second);
bool plumb_proof_plain_count_up(struct plumb_proof_plain *p,
                                struct plumb_proof_plain_table *t,
                                struct plumb_value key,
                                struct plumb_value second);
void plumb_proof_plain_count_down(struct plumb_proof_plain *p,
                                  struct plumb_proof_plain_table *t,
                                  struct plumb_value key,
                                  struct plumb_value second);

/* Texts of entries. */
bool plumb_proof_plain_text_append(struct plumb_proof_plain *p,
                                   struct plumb_proof_plain_text *t,
                                   const char *data, size_t size);
void plumb_proof_plain_text_free(struct plumb_proof_plain *p,
                                 struct plumb_proof_plain_text *t);

/* The bytes of an entry's value if it is a string of either kind, else NULL. */
const char *plumb_proof_plain_entry_text(
    const struct plumb_proof_plain *p, const struct plumb_proof_plain_entry *e,
    size_t *size);

#endif
