/* test_validate.c - each promise of history.h, broken alone, is noticed. */
#include "histories.h"

#include "history/symbols.h"
#include <stdlib.h>

enum { MAX = 16 };

/* A history whose arrays can be written to. */
struct open_history {
    struct plumb_history h;
    struct plumb_symbols symbols;
    struct plumb_op op[MAX];
    struct plumb_value value[MAX];
    uint32_t thread[MAX], object[MAX], start[MAX];
    char text[128];
};

static void lay_open(struct open_history *o, const struct plumb_history *h)
{
    assert_true(h->count <= MAX && h->values <= MAX && h->threads <= MAX);
    assert_true(h->objects <= MAX && h->symbols->count < MAX);
    assert_true(h->symbols->text_size <= sizeof o->text);
    o->h = *h;
    o->symbols = (struct plumb_symbols){ .text = o->text,
                                         .start = o->start,
                                         .count = h->symbols->count,
                                         .text_size = h->symbols->text_size };
    memcpy(o->op, h->op, h->count * sizeof *o->op);
    memcpy(o->value, h->value, h->values * sizeof *o->value);
    memcpy(o->thread, h->thread, h->threads * sizeof *o->thread);
    memcpy(o->object, h->object, h->objects * sizeof *o->object);
    memcpy(o->start, h->symbols->start,
           (h->symbols->count + (size_t)1) * sizeof *o->start);
    memcpy(o->text, h->symbols->text, h->symbols->text_size);
    o->h.op = o->op;
    o->h.value = o->value;
    o->h.thread = o->thread;
    o->h.object = o->object;
    o->h.symbols = &o->symbols;
}

/* Operations: 0 enq 0-2 P1, 1 deq 1-3 P2, 2 get 4-5 P1 fails, 3 open 6 P1. */
static const char sample[] = "Q enq(1,x) P1\nQ deq() P2\nQ ok() P1\n"
                             "Q ok(true,nil) P2\nR get() P1\nR fail() P1\n"
                             "R get() P1\n";

/* Break the n-th promise; false if there are no more. */
static bool break_promise(struct open_history *o, int n)
{
    struct plumb_op *const op = o->op;
    switch (n) {
    case 0:
        op[0].call = 9;
        return true;
    case 1: /* two events of the same rank */
        op[1].resp = 2;
        return true;
    case 2:
        op[2].resp = 4;
        return true;
    case 3: /* not sorted by call */
        op[0].call = 1;
        op[1].call = 0;
        return true;
    case 4:
        op[0].thread = o->h.threads;
        return true;
    case 5:
        op[0].object = o->h.objects;
        return true;
    case 6:
        op[0].name = o->symbols.count;
        return true;
    case 7:
        op[0].term = o->symbols.count;
        return true;
    case 8:
        op[0].values = o->h.values;
        return true;
    case 9:
        op[0].values = UINT32_MAX;
        return true;
    case 10:
        op[0].nargs = 255;
        return true;
    case 11:
        op[0].outcome = 4;
        return true;
    case 12:
        op[0].zero = 1;
        return true;
    case 13: /* a response that is not there, or should not be */
        op[0].outcome = PLUMB_OUTCOME_OPEN;
        return true;
    case 14:
        op[3].outcome = PLUMB_OUTCOME_INFO;
        return true;
    case 15: /* an answer of an operation that failed */
        op[2].term = 1;
        return true;
    case 16: /* two open calls of one thread */
        op[1].thread = op[0].thread;
        return true;
    case 17: /* a call after an open one */
        op[2].resp = PLUMB_NEVER;
        op[2].outcome = PLUMB_OUTCOME_OPEN;
        op[3].call = 5;
        o->h.events--;
        return true;
    case 18:
        o->h.events++;
        return true;
    case 19:
        o->h.events--;
        return true;
    case 20:
        o->value[0].tag = 4;
        return true;
    case 21:
        o->value[0].zero = 1;
        return true;
    case 22:
        o->value[1].bits = o->symbols.count;
        return true;
    case 23: /* a boolean is 0 or 1 */
        for (uint32_t i = 0; i < o->h.values; i++)
            if (o->value[i].tag == PLUMB_BOOL)
                o->value[i].bits = 2;
        return true;
    case 24: /* and nil is 0 */
        for (uint32_t i = 0; i < o->h.values; i++)
            if (o->value[i].tag == PLUMB_NIL)
                o->value[i].bits = 1;
        return true;
    case 25:
        o->thread[0] = o->symbols.count;
        return true;
    case 26:
        o->thread[0] = o->thread[1];
        return true;
    case 27:
        o->object[0] = o->symbols.count;
        return true;
    case 28:
        o->object[0] = o->object[1];
        return true;
    case 29:
        o->h.spec = o->symbols.count;
        return true;
    case 30:
        o->start[0] = 1;
        return true;
    case 31:
        o->start[1] = 3;
        return true;
    case 32:
        o->start[2] = o->start[1];
        return true;
    case 33:
        o->start[o->symbols.count]++;
        return true;
    case 34: /* text that does not end */
        o->text[o->symbols.text_size - 1] = 'x';
        return true;
    case 35: /* two symbols of the same text: P1 and P2 */
        for (uint32_t i = 0; i < o->symbols.text_size; i++)
            if (o->text[i] == '2')
                o->text[i] = '1';
        return true;
    case 36:
        o->symbols.count = 0;
        return true;
    default:
        return false;
    }
}

static void every_broken_promise_is_noticed(void **state)
{
    struct plumb_reader *r;
    struct plumb_history h;
    struct plumb_error err;
    struct open_history o;
    (void)state;
    assert_int_equal(plumb_reader_open(&r, sample, strlen(sample),
                                       PLUMB_FORMAT_NATIVE,
                                       PLUMB_TIES_OF_FORMAT, NULL, &err),
                     PLUMB_OK);
    assert_int_equal(plumb_reader_next(r, &h, &err), PLUMB_OK);
    lay_open(&o, &h);
    assert_int_equal(plumb_history_validate(&o.h, &err), PLUMB_OK);
    int n = 0;
    for (; break_promise(&o, n); n++) {
        err.status = PLUMB_OK;
        if (plumb_history_validate(&o.h, &err) != PLUMB_EINPUT)
            fail_msg("broken promise %d was not noticed", n);
        assert_int_equal(err.status, PLUMB_EINPUT);
        lay_open(&o, &h);
    }
    assert_int_equal(n, 37);
    plumb_history_release(&h);
    plumb_reader_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_broken_promise_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
