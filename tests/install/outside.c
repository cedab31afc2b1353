/* A program of somebody else: it sees the installed headers alone.  The same
 * text is compiled as C and as C++. */
#include <plumb/plumb.h>
#include <stdio.h>
#include <string.h>

static uint32_t symbol(struct plumb_builder *b, const char *text)
{
    return plumb_builder_symbol(b, text, strlen(text));
}

/* enq(1) and enq(2) one after the other, and then deq() = first. */
static enum plumb_status build(int64_t first, struct plumb_history *h,
                               struct plumb_error *err)
{
    struct plumb_builder *const b = plumb_builder_new(NULL);
    if (!b)
        return PLUMB_EMEMORY;
    const uint32_t p = symbol(b, "P"), q = symbol(b, "q");
    const uint32_t enq = symbol(b, "enq"), deq = symbol(b, "deq");
    const uint32_t ok = symbol(b, "ok");
    enum plumb_status s = PLUMB_OK;
    for (int64_t i = 1; i <= 2 && s == PLUMB_OK; i++) {
        const struct plumb_value x = plumb_int(i);
        s = plumb_builder_call(b, p, q, enq, &x, 1, NULL, err);
        if (s == PLUMB_OK)
            s = plumb_builder_respond(b, p, q, PLUMB_OUTCOME_OK, ok, NULL, 0,
                                      NULL, err);
    }
    const struct plumb_value x = plumb_int(first);
    if (s == PLUMB_OK)
        s = plumb_builder_call(b, p, q, deq, NULL, 0, NULL, err);
    if (s == PLUMB_OK)
        s = plumb_builder_respond(b, p, q, PLUMB_OUTCOME_OK, ok, &x, 1, NULL,
                                  err);
    if (s == PLUMB_OK)
        s = plumb_builder_finish(b, PLUMB_TIES_CALL_FIRST, h, err);
    plumb_builder_free(b);
    return s;
}

static enum plumb_status decide(int64_t first, enum plumb_verdict *verdict,
                                struct plumb_error *err)
{
    struct plumb_history h;
    enum plumb_status s = build(first, &h, err);
    if (s != PLUMB_OK)
        return s;
    struct plumb_spec *spec = NULL;
    s = plumb_spec_parse("queue", &spec, err);
    if (s == PLUMB_OK) {
        struct plumb_check_options options;
        struct plumb_answer answer;
        memset(&options, 0, sizeof options);
        s = plumb_check(&h, spec, &options, &answer, err);
        if (s == PLUMB_OK) {
            *verdict = answer.verdict;
            plumb_answer_release(&answer);
        }
        plumb_spec_free(spec);
    }
    plumb_history_release(&h);
    return s;
}

int main(void)
{
    static const char *const word[] = { "linearizable", "not linearizable",
                                        "undecided" };
    for (int64_t first = 1; first <= 2; first++) {
        struct plumb_error err;
        enum plumb_verdict verdict = PLUMB_UNDECIDED;
        memset(&err, 0, sizeof err);
        if (decide(first, &verdict, &err) != PLUMB_OK) {
            fprintf(stderr, "outside: %s\n", err.message);
            return 2;
        }
        printf("deq() = %d: %s\n", (int)first, word[verdict]);
    }
    return 0;
}
