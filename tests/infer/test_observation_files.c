/* test_observation_files.c - what is written is read as it was; what was
 * damaged is refused with a line, or means the same.
 *
 * Random serial histories with every kind of answer.  Then bytes are changed,
 * left out and repeated: with the digest nothing else may be understood, and
 * without it, as in a file written by hand, nothing may go wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "effort.h"
#include "infer/observations.h"

enum { THREADS = 2, CALLS = 2, OPERATIONS = THREADS * CALLS };

static const char *const name[] = { "first", "second" };

static struct plumb_infer_store *stored, *again;
static struct plumb_base_rng rng;

static unsigned draw(unsigned n)
{
    return plumb_base_rng_below(&rng, n);
}

static void draw_text(char *text, size_t room)
{
    static const char hostile[] = "\"\\<>&-()[],#x7 aB\x01\x7f\xff=";
    const size_t length = draw((unsigned)room);
    for (size_t i = 0; i < length; i++)
        text[i] = hostile[draw(sizeof hostile - 1)];
    text[length] = '\0';
}

static void add_result(struct plumb_record_entry *e)
{
    char text[20];
    struct plumb_value v = plumb_int((int64_t)draw(5) - 2);
    switch (draw(4)) {
    case 0:
        v = plumb_bool(draw(2));
        break;
    case 1:
        draw_text(text, sizeof text);
        v = plumb_str(plumb_record_entry_keep(e, text, strlen(text)));
        break;
    case 2:
        v = plumb_int(draw(2) ? INT64_MIN : INT64_MAX);
        break;
    default:
        break;
    }
    e->value[e->nargs + e->nres++] = v;
}

static void draw_answer(struct plumb_record_entry *e, unsigned op)
{
    static const char *const word[] = { "",  "empty", "true", "falsely",
                                        "7", "-",     "x(1)" };
    memcpy(e, &stored->call[op], sizeof *e);
    const unsigned kind = draw(9);
    if (kind < 7)
        memcpy(e->term, word[kind], strlen(word[kind]));
    else
        draw_text(e->term, PLUMB_ENTRY_TERM);
    if (strcmp(e->term, "ok") == 0)
        *e->term = '\0';
    for (unsigned count = draw(3) * draw(6); count; count--)
        add_result(e);
}

static void draw_calls(void)
{
    memset(stored, 0, offsetof(struct plumb_infer_store, answer));
    stored->operations = OPERATIONS;
    for (unsigned op = 0; op < OPERATIONS; op++) {
        char text[20];
        stored->process[op] = (uint8_t)(op / CALLS);
        plumb_record_entry_begin(&stored->call[op], draw(2));
        draw_text(text, sizeof text);
        if (stored->call[op].operation == 1)
            plumb_record_entry_text(&stored->call[op], text, strlen(text));
        else
            plumb_record_entry_number(&stored->call[op], draw(10));
        stored->allowed[op] = UINT32_MAX;
    }
}

/* Each order of the operations has answers of its own. */
static void draw_store(void)
{
    struct plumb_infer_seen seen[1000];
    struct plumb_infer_answers answers;
    struct plumb_record_entry e;
    struct plumb_error err;
    uint32_t moments = 1, count = 0;
    unsigned done[100][THREADS] = { { 0 } };
    draw_calls();
    plumb_infer_answers_open(&answers, stored, NULL);
    for (uint32_t m = 0; m < moments; m++)
        for (unsigned t = 0; t < THREADS; t++) {
            if (done[m][t] == CALLS)
                continue;
            const unsigned op = t * CALLS + done[m][t];
            const bool stuck = draw(6) == 0;
            draw_answer(&e, op);
            seen[count++] = (struct plumb_infer_seen){
                .from = m,
                .to = stuck ? PLUMB_INFER_STUCK : moments,
                .op = op,
                .answer = stuck ? 0 : plumb_infer_answer(&answers, &e)
            };
            if (stuck)
                continue;
            memcpy(done[moments], done[m], sizeof *done);
            done[moments++][t]++;
        }
    plumb_infer_answers_close(&answers);
    assert_int_equal(
        plumb_infer_store_infer(stored, seen, count, moments, NULL, &err),
        PLUMB_OK);
}

static const struct plumb_infer_origin origin = {
    "object", "build --", "options", "", "first(1) | -->\xff&", "\\x&lt;"
};

static void write(const struct plumb_infer_store *s,
                  struct plumb_base_text *text)
{
    struct plumb_error err;
    plumb_base_text_init(text, NULL);
    assert_int_equal(
        plumb_infer_write(s, name, &origin, NULL, NULL, text, &err), PLUMB_OK);
    assert_false(text->broken);
}

/* The test is there before its histories are read. */
static enum plumb_status read(const char *text, size_t size,
                              struct plumb_error *err)
{
    memset(again, 0, offsetof(struct plumb_infer_store, answer));
    again->operations = stored->operations;
    memcpy(again->process, stored->process, sizeof stored->process);
    memcpy(again->call, stored->call, sizeof stored->call);
    /* Nothing may be read behind its end. */
    char *const exact = malloc(size + 1);
    assert_non_null(exact);
    memcpy(exact, text, size);
    const enum plumb_status status =
        plumb_infer_read(exact, size, &origin, name, NULL, again, err);
    free(exact);
    return status;
}

static void assert_same_again(const struct plumb_base_text *text)
{
    struct plumb_base_text second;
    assert_int_equal(again->end, PLUMB_INFER_DETERMINISTIC);
    assert_true(plumb_infer_store_is_sound(again, 2));
    write(again, &second);
    assert_int_equal(second.size, text->size);
    assert_memory_equal(second.data, text->data, text->size);
    plumb_base_text_release(&second);
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    struct plumb_error err;
    struct plumb_base_text text;
    for (unsigned seed = 0; seed < SOME_OF(1000); seed++) {
        plumb_base_rng_seed(&rng, seed);
        draw_store();
        write(stored, &text);
        if (read(text.data, text.size, &err) != PLUMB_OK)
            fail_msg("seed %u, line %u: %s", seed, (unsigned)err.line,
                     err.message);
        assert_same_again(&text);
        plumb_base_text_release(&text);
    }
}

static size_t damage(char *text, size_t size)
{
    const size_t at = draw((unsigned)size), to = draw((unsigned)size);
    const size_t count = draw(20) + (size_t)1;
    switch (draw(5)) {
    case 0:
        text[at] ^= (char)(1 << draw(8));
        return size;
    case 1:
        text[at] = (char)draw(256);
        return size;
    case 2:
        return at;
    case 3:
        if (at + count > size)
            return at;
        memmove(text + at, text + at + count, size - at - count);
        return size - count;
    default:
        if (at + count <= size && to + count <= size)
            memmove(text + to, text + at, count);
        return size;
    }
}

static void damage_one(const struct plumb_base_text *text, bool signed_,
                       unsigned seed)
{
    const char *const digest = strstr(plumb_base_text_string(text), "<!-- dig");
    const size_t whole = signed_ ? text->size : (size_t)(digest - text->data);
    char *const copy = malloc(whole + 1);
    struct plumb_error err = { 0 };
    assert_non_null(copy);
    memcpy(copy, text->data, whole);
    size_t size = whole;
    for (unsigned times = 1 + draw(2); times && size; times--)
        size = damage(copy, size);
    const enum plumb_status status = read(copy, size, &err);
    if (status != PLUMB_OK && (status != PLUMB_EINPUT || !err.line))
        fail_msg("seed %u: status %d without a line: %s", seed, (int)status,
                 err.message);
    const size_t signature = (size_t)(digest - text->data);
    if (status == PLUMB_OK && signed_ && size > signature + 30 &&
        memcmp(copy + signature, digest, 30) == 0)
        assert_same_again(text);
    free(copy);
}

static void what_is_damaged_is_refused(void **state)
{
    (void)state;
    struct plumb_base_text text;
    for (unsigned seed = 0; seed < SOME_OF(1000); seed++) {
        plumb_base_rng_seed(&rng, seed);
        draw_store();
        write(stored, &text);
        for (unsigned i = 0; i < 30; i++)
            damage_one(&text, i % 2 == 0, seed);
        plumb_base_text_release(&text);
    }
}

static int open_stores(void **state)
{
    (void)state;
    stored = calloc(1, sizeof *stored);
    again = calloc(1, sizeof *again);
    return stored && again ? 0 : -1;
}

static int close_stores(void **state)
{
    (void)state;
    free(stored);
    free(again);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(what_is_damaged_is_refused),
    };
    return cmocka_run_group_tests(tests, open_stores, close_stores);
}
