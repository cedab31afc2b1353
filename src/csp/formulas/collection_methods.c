/* collection_methods.c - what the methods of collections do.
 *
 * Names and meaning are those of PAT's library; what is done by an argument
 * that does not fit is said in docs/modelling-language.md. */
#include "collection_methods.h"

#include <assert.h>
#include <string.h>

typedef struct plumb_csp_method_call call;
typedef struct plumb_csp_content content;

/* ---- parts of contents ---- */

static void put(call *c, const int32_t *from, uint32_t count)
{
    if (c->to && count)
        memcpy(c->to + c->made, from, count * sizeof *from);
    c->made += count;
}

static void put_one(call *c, int32_t value)
{
    put(c, &value, 1);
}

/* The collection, with `with[0..add)` instead of `leave` numbers at `at`. */
static void splice(call *c, uint32_t at, uint32_t leave, const int32_t *with,
                   uint32_t add)
{
    assert(at + leave <= c->self.count);
    put(c, c->self.at, at);
    put(c, with, add);
    put(c, c->self.at + at + leave, c->self.count - at - leave);
}

/* Where it is for the first time; `count` if nowhere. */
static uint32_t find(const content *in, int32_t value)
{
    uint32_t i = 0;
    while (i < in->count && in->at[i] != value)
        i++;
    return i;
}

/* Where it is, or belongs, among what is sorted, in steps of `step`. */
static uint32_t find_sorted(const content *in, int32_t value, uint32_t step)
{
    uint32_t low = 0, high = in->count / step;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (in->at[middle * step] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low * step;
}

static bool is_at(const content *in, uint32_t at, int32_t value)
{
    return at < in->count && in->at[at] == value;
}

/* Is the argument the number of an element, or, if `behind`, of the place
 * behind the last one? */
static bool has_index(call *c, bool behind)
{
    const int32_t i = c->number[0];
    if (i >= 0 && (uint32_t)i < c->self.count + behind)
        return true;
    c->value = i;
    c->end = PLUMB_METHOD_INDEX;
    return false;
}

static bool has_any(call *c)
{
    if (!c->self.count)
        c->end = PLUMB_METHOD_EMPTY;
    return c->self.count;
}

/* ---- of all, or of several ---- */

static void count(call *c)
{
    c->value = (int32_t)c->self.count;
}

static void is_empty(call *c)
{
    c->value = c->self.count == 0;
}

static void clear(call *c)
{
    (void)c; /* nothing is put */
}

static void contains(call *c)
{
    c->value = find(&c->self, c->number[0]) < c->self.count;
}

static void get(call *c)
{
    if (has_index(c, false))
        c->value = c->self.at[c->number[0]];
}

static void first(call *c)
{
    if (has_any(c))
        c->value = c->self.at[0];
}

static void last(call *c)
{
    if (has_any(c))
        c->value = c->self.at[c->self.count - 1];
}

static void append(call *c)
{
    splice(c, c->self.count, 0, c->number, 1);
}

static void concat(call *c)
{
    for (uint32_t i = 0; i < c->others; i++)
        put(c, c->other[i].at, c->other[i].count);
}

/* ---- lists ---- */

static void remove_from_list(call *c)
{
    const uint32_t at = find(&c->self, c->number[0]);
    c->value = at < c->self.count;
    splice(c, at, (uint32_t)c->value, NULL, 0);
}

static void remove_at(call *c)
{
    if (has_index(c, false))
        splice(c, (uint32_t)c->number[0], 1, NULL, 0);
}

static void insert(call *c)
{
    if (has_index(c, true))
        splice(c, (uint32_t)c->number[0], 0, c->number + 1, 1);
}

static void set(call *c)
{
    if (has_index(c, false))
        splice(c, (uint32_t)c->number[0], 1, c->number + 1, 1);
}

static void index_of(call *c)
{
    const uint32_t at = find(&c->self, c->number[0]);
    c->value = at < c->self.count ? (int32_t)at : -1;
}

/* ---- stacks and queues ---- */

static void pop(call *c)
{
    last(c);
    if (c->end == PLUMB_METHOD_DONE)
        put(c, c->self.at, c->self.count - 1);
}

static void dequeue(call *c)
{
    first(c);
    if (c->end == PLUMB_METHOD_DONE)
        splice(c, 0, 1, NULL, 0);
}

/* ---- sets ---- */

static void add_to_set(call *c)
{
    const uint32_t at = find_sorted(&c->self, c->number[0], 1);
    c->value = !is_at(&c->self, at, c->number[0]);
    splice(c, at, 0, c->number, (uint32_t)c->value);
}

static void remove_from_set(call *c)
{
    const uint32_t at = find_sorted(&c->self, c->number[0], 1);
    c->value = is_at(&c->self, at, c->number[0]);
    splice(c, at, (uint32_t)c->value, NULL, 0);
}

/* Elements of the first set alone, of both, of the second alone. */
static void merge(call *c, bool left, bool both, bool right)
{
    const content *const a = c->other, *const b = c->other + 1;
    uint32_t i = 0, j = 0;
    while (i < a->count || j < b->count) {
        const bool in_a =
            i < a->count && (j == b->count || a->at[i] <= b->at[j]);
        const bool in_b =
            j < b->count && (i == a->count || b->at[j] <= a->at[i]);
        if (in_a && in_b ? both : in_a ? left : right)
            put_one(c, in_a ? a->at[i] : b->at[j]);
        i += in_a;
        j += in_b;
    }
}

static void unite(call *c)
{
    merge(c, true, true, true);
}

static void intersect(call *c)
{
    merge(c, false, true, false);
}

static void subtract(call *c)
{
    merge(c, true, false, false);
}

static void is_overlapping(call *c)
{
    merge(c, false, true, false);
    c->value = c->made > 0;
}

static void is_disjoint(call *c)
{
    is_overlapping(c);
    c->value = !c->value;
}

/* ---- tables ---- */

static uint32_t key_of(const call *c, bool *there)
{
    const uint32_t at = find_sorted(&c->self, c->number[0], 2);
    *there = is_at(&c->self, at, c->number[0]);
    return at;
}

static void count_keys(call *c)
{
    c->value = (int32_t)(c->self.count / 2);
}

static void contains_key(call *c)
{
    bool there;
    (void)key_of(c, &there);
    c->value = there;
}

static void get_value(call *c)
{
    bool there;
    const uint32_t at = key_of(c, &there);
    c->end = there ? PLUMB_METHOD_DONE : PLUMB_METHOD_KEY;
    c->value = there ? c->self.at[at + 1] : c->number[0];
}

static void add_to_table(call *c)
{
    bool there;
    const uint32_t at = key_of(c, &there);
    splice(c, at, 0, c->number, there ? 0 : 2);
}

static void remove_key(call *c)
{
    bool there;
    const uint32_t at = key_of(c, &there);
    c->value = there;
    splice(c, at, there ? 2 : 0, NULL, 0);
}

/* ---- all of them ---- */

enum {
    LIST = 1 << PLUMB_COLLECTION_LIST,
    SET = 1 << PLUMB_COLLECTION_SET,
    STACK = 1 << PLUMB_COLLECTION_STACK,
    QUEUE = 1 << PLUMB_COLLECTION_QUEUE,
    TABLE = 1 << PLUMB_COLLECTION_TABLE,
    ROW = LIST | STACK | QUEUE /* in the order in which they came */
};

static const struct plumb_csp_method method[] = {
    { "Count", ROW | SET, "", 'n', false, count },
    { "IsEmpty", ROW | SET | TABLE, "", 'b', false, is_empty },
    { "Clear", ROW | SET | TABLE, "", ' ', true, clear },
    { "Contains", ROW | SET, "n", 'b', false, contains },
    { "Get", LIST | SET, "n", 'n', false, get },
    { "First", LIST | QUEUE, "", 'n', false, first },
    { "Last", LIST | QUEUE, "", 'n', false, last },
    { "Concat", ROW, "c", 'c', false, concat },
    { "Concat", ROW, "cc", 'c', false, concat },
    { "Add", LIST, "n", ' ', true, append },
    { "Remove", LIST, "n", 'b', true, remove_from_list },
    { "RemoveAt", LIST, "n", ' ', true, remove_at },
    { "Insert", LIST, "nn", ' ', true, insert },
    { "Set", LIST, "nn", ' ', true, set },
    { "IndexOf", LIST, "n", 'n', false, index_of },
    { "Push", STACK, "n", ' ', true, append },
    { "Pop", STACK, "", 'n', true, pop },
    { "Peek", STACK, "", 'n', false, last },
    { "Enqueue", QUEUE, "n", ' ', true, append },
    { "Dequeue", QUEUE, "", 'n', true, dequeue },
    { "Peek", QUEUE, "", 'n', false, first },
    { "Add", SET, "n", 'b', true, add_to_set },
    { "Remove", SET, "n", 'b', true, remove_from_set },
    { "Union", SET, "c", 'c', false, unite },
    { "Union", SET, "cc", 'c', false, unite },
    { "Intersect", SET, "c", 'c', false, intersect },
    { "Intersect", SET, "cc", 'c', false, intersect },
    { "Substract", SET, "c", 'c', false, subtract }, /* as PAT spells it */
    { "Substract", SET, "cc", 'c', false, subtract },
    { "IsOverlapping", SET, "c", 'b', false, is_overlapping },
    { "IsDisjoint", SET, "c", 'b', false, is_disjoint },
    { "Count", TABLE, "", 'n', false, count_keys },
    { "Add", TABLE, "nn", ' ', true, add_to_table },
    { "ContainsKey", TABLE, "n", 'b', false, contains_key },
    { "GetValue", TABLE, "n", 'n', false, get_value },
    { "Remove", TABLE, "n", 'b', true, remove_key },
};

const struct plumb_csp_method *plumb_csp_method_at(uint32_t number)
{
    return number < sizeof method / sizeof *method ? method + number : NULL;
}

const char *const plumb_csp_collection_name[PLUMB_COLLECTION_KINDS] = {
    "", "List", "Set", "Stack", "Queue", "HashTable"
};

enum plumb_csp_collection_kind plumb_csp_collection_named(const char *name,
                                                          size_t length)
{
    for (unsigned k = 1; k < PLUMB_COLLECTION_KINDS; k++)
        if (strlen(plumb_csp_collection_name[k]) == length &&
            memcmp(plumb_csp_collection_name[k], name, length) == 0)
            return (enum plumb_csp_collection_kind)k;
    return PLUMB_COLLECTION_NONE;
}
