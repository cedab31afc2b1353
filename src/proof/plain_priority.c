/* plain_priority.c - priority-queue.
 *
 * table: how often each item is there.  An item (p,x) has the key p, x; an item
 * x the key x, absent.  heap: the priorities of all items, the first of them
 * on top; it follows from the table, but which item goes does not matter to
 * it, as those that may go have the same priority. */
#include "plain_operations.h"

#include <string.h>

const struct plumb_proof_plain_operation
    plumb_proof_priority_operations[PLAIN_PRIORITY_OPERATIONS] = {
        { "insert add enq enqueue push offer", PRIORITY_INSERT, 1, 2,
          "ok/0 full/0", PLAIN_READS_REFUSED, PLAIN_TO_LAST_ARGUMENT, false,
          false },
        { "delmin delete_min extract_min remove_min poll pop deq dequeue "
          "delmax "
          "delete_max extract_max remove_max",
          PRIORITY_DELMIN, 0, 0, "ok/1 ok/2 empty/0", PLAIN_READS_REFUSED,
          PLAIN_TO_RESULT, false, false },
        { "take", PRIORITY_TAKE, 0, 0, "ok/1 ok/2 empty/0", PLAIN_WRITES,
          PLAIN_TO_RESULT, false, false },
        { "min peek find_min get_min top max find_max get_max", PRIORITY_MIN, 0,
          0, "ok/1 ok/2 empty/0", PLAIN_READS, PLAIN_TO_RESULT, false, false },
    };

int plumb_proof_priority_compare(const struct plumb_proof_plain *p,
                                 struct plumb_value a, struct plumb_value b)
{
    if (a.tag != b.tag)
        return a.tag < b.tag ? -1 : 1;
    if (a.tag == PLUMB_STR) {
        size_t size_a, size_b;
        const char *const x =
            plumb_proof_plain_symbol(p, (uint32_t)a.bits, &size_a);
        const char *const y =
            plumb_proof_plain_symbol(p, (uint32_t)b.bits, &size_b);
        const int c = memcmp(x, y, size_a < size_b ? size_a : size_b);
        return c ? c : (size_a > size_b) - (size_a < size_b);
    }
    const int64_t x = (int64_t)a.bits, y = (int64_t)b.bits;
    return (x > y) - (x < y);
}

static bool goes_first(const struct plumb_proof_plain *p, struct plumb_value a,
                       struct plumb_value b)
{
    const int c = plumb_proof_priority_compare(p, a, b);
    return p->with.max ? c > 0 : c < 0;
}

static void swap(struct plumb_value *a, struct plumb_value *b)
{
    const struct plumb_value v = *a;
    *a = *b;
    *b = v;
}

static bool heap_push(struct plumb_proof_plain *p,
                      struct plumb_proof_plain_list *heap, struct plumb_value v)
{
    if (!plumb_proof_plain_push_back(p, heap, v))
        return false;
    size_t i = heap->count - 1;
    while (i && goes_first(p, v, *plumb_proof_plain_at(heap, (i - 1) / 2))) {
        swap(plumb_proof_plain_at(heap, i),
             plumb_proof_plain_at(heap, (i - 1) / 2));
        i = (i - 1) / 2;
    }
    return true;
}

static void heap_pop(const struct plumb_proof_plain *p,
                     struct plumb_proof_plain_list *heap)
{
    *plumb_proof_plain_at(heap, 0) =
        *plumb_proof_plain_at(heap, heap->count - 1);
    plumb_proof_plain_pop_back(heap);
    for (size_t i = 0;;) {
        size_t first = i;
        for (size_t child = 2 * i + 1; child <= 2 * i + 2; child++)
            if (child < heap->count &&
                goes_first(p, *plumb_proof_plain_at(heap, child),
                           *plumb_proof_plain_at(heap, first)))
                first = child;
        if (first == i)
            return;
        swap(plumb_proof_plain_at(heap, i), plumb_proof_plain_at(heap, first));
        i = first;
    }
}

static enum plumb_proof_plain_result insert(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    if (p->with.has_cap && s->heap.count >= p->with.cap)
        return plumb_proof_plain_answer(r, "full");
    const struct plumb_value second = c->nargs == 2 ? c->args[1] : PLAIN_ABSENT;
    if (!plumb_proof_plain_count_up(p, &s->table, c->args[0], second) ||
        !heap_push(p, &s->heap, c->args[0]))
        return PLAIN_NO_MEMORY;
    return plumb_proof_plain_answer(r, "ok");
}

/* The item that was seen to go, if it is there and may. */
static const struct plumb_proof_plain_entry *seen_item(
    const struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_seen *seen)
{
    if (seen->nres < 1 || seen->nres > 2 ||
        !plumb_value_equal(seen->res[0], *plumb_proof_plain_at(&s->heap, 0)))
        return NULL;
    return plumb_proof_plain_find(
        &s->table, seen->res[0], seen->nres == 2 ? seen->res[1] : PLAIN_ABSENT);
}

static const struct plumb_proof_plain_entry *choose_item(
    const struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c)
{
    const struct plumb_value least = *plumb_proof_plain_at(&s->heap, 0);
    const struct plumb_proof_plain_entry *e = s->table.entry;
    size_t ties = 0;
    for (size_t i = 0; i < s->table.count; i++)
        if (plumb_value_equal(e[i].key[0], least))
            ties++;
    unsigned left = c->seen ? 0 : plumb_proof_plain_choose(c, ties);
    while (!plumb_value_equal(e->key[0], least) || left-- > 0)
        e++;
    return e;
}

static enum plumb_proof_plain_result perform(
    struct plumb_proof_plain *p, struct plumb_proof_plain_state *s,
    const struct plumb_proof_plain_call *c, struct plumb_proof_plain_reply *r)
{
    const unsigned kind = c->operation->kind;
    if (kind == PRIORITY_INSERT)
        return insert(p, s, c, r);
    if (!s->heap.count)
        return plumb_proof_plain_nothing_there(
            kind == PRIORITY_TAKE ||
                (kind == PRIORITY_DELMIN && p->with.blocking),
            r);
    const struct plumb_proof_plain_entry *e =
        c->seen ? seen_item(s, c->seen) : NULL;
    if (!e)
        e = choose_item(s, c);
    plumb_proof_plain_answer_value(r, e->key[0]);
    if (!plumb_proof_plain_is_absent(e->key[1]))
        plumb_proof_plain_answer_value(r, e->key[1]);
    if (kind != PRIORITY_MIN) {
        plumb_proof_plain_count_down(p, &s->table, e->key[0], e->key[1]);
        heap_pop(p, &s->heap);
    }
    return PLAIN_RETURNS;
}

const struct plumb_proof_plain_type plumb_proof_plain_priority_queue = {
    .names = "priority-queue",
    .parameters = "max cap blocking k late empty",
    PLAIN_TABLE(plumb_proof_priority_operations),
    .closed = true,
    .relaxed = &plumb_proof_relaxed_priority_queue,
    .perform = perform,
};
