/* bag_spec.c - the specification of ConcurrentBag (J): any item may be next.
 *
 *     plumb explore lineup-bag --spec objects/lineup/bag_spec.c
 *
 * The built-in bag has no count, is_empty, try_peek and to_array.  Items are
 * kept in order, so that equal bags are equal states. */
#include <plumb/spec.h>

enum { ROOM = 64 };
struct bag {
    int64_t item[ROOM];
    int64_t count;
};

enum { COUNT, ADD, TRY_TAKE, IS_EMPTY, TRY_PEEK, TO_ARRAY };
static const char *const ops[] = { "count/0",    "add/1",      "try_take/0",
                                   "is_empty/0", "try_peek/0", "to_array/0",
                                   NULL };

static void put(struct bag *b, int64_t item)
{
    int64_t at = b->count++;
    for (; at > 0 && b->item[at - 1] > item; at--)
        b->item[at] = b->item[at - 1];
    b->item[at] = item;
}

static int64_t remove_at(struct bag *b, int64_t at)
{
    const int64_t item = b->item[at];
    b->count--;
    for (; at < b->count; at++)
        b->item[at] = b->item[at + 1];
    b->item[b->count] = 0;
    return item;
}

/* Where an item is; of equal ones the first. */
static int64_t any(const struct bag *b, const struct plumb_call *call)
{
    int64_t first[ROOM];
    unsigned count = 0;
    for (int64_t i = 0; i < b->count; i++)
        if (i == 0 || b->item[i] != b->item[i - 1])
            first[count++] = i;
    return first[plumb_call_choose(call, count)];
}

static void take_or_peek(struct bag *b, const struct plumb_call *call,
                         struct plumb_reply *reply)
{
    if (b->count == 0) {
        reply->term = "empty";
        return;
    }
    const int64_t at = any(b, call);
    plumb_reply_value(reply, plumb_int(b->item[at]));
    if (call->op == TRY_TAKE)
        remove_at(b, at);
}

/* In any order. */
static void show(struct bag b, const struct plumb_call *call,
                 struct plumb_reply *reply)
{
    while (b.count > 0)
        plumb_reply_value(reply, plumb_int(remove_at(&b, any(&b, call))));
}

static bool step(void *state, const struct plumb_call *call,
                 struct plumb_reply *reply)
{
    struct bag *const b = state;
    if (call->op == ADD && b->count == ROOM)
        return false;
    switch (call->op) {
    case ADD:
        put(b, (int64_t)call->args[0].bits);
        break;
    case COUNT:
        plumb_reply_value(reply, plumb_int(b->count));
        break;
    case IS_EMPTY:
        plumb_reply_value(reply, plumb_bool(b->count == 0));
        break;
    case TO_ARRAY:
        show(*b, call, reply);
        break;
    default:
        take_or_peek(b, call, reply);
    }
    return true;
}

PLUMB_SPEC(.name = "concurrent-bag", .state_size = sizeof(struct bag),
           .ops = ops, .step = step);
