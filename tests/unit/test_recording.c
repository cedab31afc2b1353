/* test_recording.c - recordings as files: merged soundly, and never trusted. */
#include "recordings.h"

#include <sys/stat.h>

/* ---- files made by hand ---- */

struct file {
    struct bytes b;
    uint32_t chunks;
};

static struct file new_recording(uint64_t uncertainty)
{
    struct file f = { .b.data = calloc(1, RECORDING_HEADER),
                      .b.size = RECORDING_HEADER };
    struct plumb_history_recording_header *const h = header_of(f.b);
    assert_non_null(h);
    memcpy(h->magic, RECORDING_MAGIC, sizeof h->magic);
    h->order = RECORDING_ORDER_MARK;
    h->version = RECORDING_VERSION;
    h->header_size = RECORDING_HEADER;
    h->chunk_size = RECORDING_CHUNK;
    h->clock = RECORDING_MONOTONIC;
    h->ticks_per_second = 1000000000;
    h->uncertainty = uncertainty;
    return f;
}

static struct plumb_history_chunk *chunk_of(struct file *f, uint32_t number)
{
    void *const at =
        f->b.data + RECORDING_HEADER + (size_t)number * RECORDING_CHUNK;
    return at;
}

static uint32_t add_desk(struct file *f, uint32_t thread, uint64_t base)
{
    f->b.data = realloc(f->b.data, f->b.size + RECORDING_CHUNK);
    assert_non_null(f->b.data);
    memset(f->b.data + f->b.size, 0, RECORDING_CHUNK);
    f->b.size += RECORDING_CHUNK;
    struct plumb_history_chunk *const c = chunk_of(f, f->chunks);
    c->label.magic = RECORDING_DESK_MAGIC;
    c->label.number = f->chunks;
    c->label.thread = thread;
    c->label.taken = base;
    c->label.base = base;
    header_of(f->b)->taken = f->chunks + 1;
    return f->chunks++;
}

static void add_word(struct file *f, uint32_t number, uint64_t word)
{
    struct plumb_history_chunk *const c = chunk_of(f, number);
    c->word[c->label.used++] = word;
}

static void add_name(struct file *f, enum plumb_history_recording_kind kind,
                     char letter)
{
    add_word(f, 0, plumb_history_recording_head(kind, 0, 0, 0, 0, 1));
    add_word(f, 0, (unsigned char)letter);
}

static void close_recording(struct file *f)
{
    for (uint32_t i = 0; i < f->chunks; i++) {
        struct plumb_history_chunk *const c = chunk_of(f, i);
        c->label.checksum = plumb_history_recording_sum(&c->label, c->word);
    }
    header_of(f->b)->closed = 1;
    sign(f->b);
}

/* Threads as texts: "c10 r15 c20" calls at 10, returns at 15, calls at 20. */
static struct file recording_of(uint64_t uncertainty, const char *const *thread,
                                size_t threads)
{
    struct file f = new_recording(uncertainty);
    add_desk(&f, 0, 0);
    add_name(&f, RECORDING_CALL, 'f');
    add_name(&f, RECORDING_RETURN, 'X');
    for (uint32_t i = 0; i < threads; i++) {
        const uint32_t number = add_desk(&f, i + 1, 0);
        uint64_t last = 0;
        for (const char *at = thread[i]; *at; at += *at == ' ') {
            const bool call = *at == 'c';
            char *end;
            const uint64_t time = strtoull(at + 1, &end, 10);
            add_word(&f, number,
                     plumb_history_recording_head(
                         call ? RECORDING_CALL : RECORDING_RETURN, 0, 0, call,
                         call, time - last));
            last = time;
            at = end;
        }
    }
    close_recording(&f);
    return f;
}

/* "P1-0 P1-2 ...": each operation's process and ranks. */
static void show_ranks(const struct plumb_history *h, struct plumb_base_text *t)
{
    for (uint32_t i = 0; i < h->count; i++) {
        plumb_base_text_printf(t, "%s", i ? " " : "");
        show_symbol(t, h, h->thread[h->op[i].thread]);
        plumb_base_text_printf(t, ":%u-", h->op[i].call);
        if (h->op[i].resp == PLUMB_NEVER)
            plumb_base_text_add(t, "never");
        else
            plumb_base_text_printf(t, "%u", h->op[i].resp);
    }
}

static void assert_ranks(struct bytes b, bool whole, const char *expected)
{
    struct plumb_history h;
    struct plumb_error err = { 0 };
    struct plumb_base_text t;
    if (read_bytes(b, whole, &h, NULL, &err) != PLUMB_OK)
        fail_msg("%s", err.message);
    assert_int_equal(plumb_history_validate(&h, &err), PLUMB_OK);
    plumb_base_text_init(&t, NULL);
    show_ranks(&h, &t);
    assert_string_equal(plumb_base_text_string(&t), expected);
    plumb_base_text_release(&t);
    plumb_history_release(&h);
}

static void assert_merged(uint64_t uncertainty, const char *a, const char *b,
                          const char *expected)
{
    const char *const thread[] = { a, b };
    const struct file f = recording_of(uncertainty, thread, b ? 2 : 1);
    assert_ranks(f.b, false, expected);
    free(f.b.data);
}

/* ---- merging ---- */

static void events_are_in_the_order_of_time(void **state)
{
    (void)state;
    assert_merged(0, "c10 r20", "c30 r40", "P1:0-1 P2:2-3");
    assert_merged(0, "c30 r40", "c10 r20", "P2:0-1 P1:2-3");
    assert_merged(0, "c10 r40", "c20 r30", "P1:0-3 P2:1-2");
    assert_merged(0, "c10 r30", "c20 r40", "P1:0-2 P2:1-3");
}

static void at_the_same_time_calls_come_first(void **state)
{
    (void)state;
    assert_merged(0, "c10 r20", "c20 r30", "P1:0-2 P2:1-3");
    assert_merged(0, "c20 r30", "c10 r20", "P2:0-2 P1:1-3");
    /* also of one thread: its clock ticks too slowly to tell */
    assert_merged(0, "c10 r20 c20 r30", NULL, "P1:0-2 P1.2:1-3");
    assert_merged(0, "c10 r20 c21 r30", NULL, "P1:0-1 P1:2-3");
}

static void what_is_in_doubt_overlaps(void **state)
{
    (void)state;
    assert_merged(5, "c10 r20", "c25 r30", "P1:0-2 P2:1-3");
    assert_merged(5, "c10 r20", "c26 r30", "P1:0-1 P2:2-3");
    assert_merged(5, "c10 r20 c22 r24 c40 r50", "c23 r30",
                  "P1:0-3 P1.2:1-4 P2:2-5 P1.2:6-7");
    assert_merged(1000, "c1 r2 c3 r4 c5 r6", "c7 r8",
                  "P1:0-4 P1.2:1-5 P1.3:2-6 P2:3-7");
}

/* By the definition: a return stands before a call in the history only if it
 * was stamped earlier by more than the uncertainty, or is the same thread's. */
static void no_order_is_made_up(void **state)
{
    uint32_t random = 1;
    (void)state;
    for (int turn = 0; turn < 300; turn++) {
        char text[3][400];
        const char *thread[3];
        const uint64_t uncertainty = (uint64_t)(turn % 7);
        for (int t = 0; t < 3; t++) {
            size_t length = 0;
            unsigned time = 0;
            for (int i = 0; i < 20; i++) {
                random = random * 1664525 + 1013904223;
                time += random >> 29;
                length += (size_t)snprintf(
                    text[t] + length, sizeof text[t] - length, "%s%c%u",
                    i ? " " : "", i % 2 ? 'r' : 'c', time);
            }
            thread[t] = text[t];
        }
        const struct file f = recording_of(uncertainty, thread, 3);
        struct plumb_history_recording *r;
        struct plumb_history_recorded_event e;
        struct plumb_error err;
        uint64_t returned = 0, calls = 0, returns = 0;
        bool any = false;
        assert_int_equal(plumb_history_recording_open(&r, f.b.data, f.b.size,
                                                      false, NULL, &err),
                         PLUMB_OK);
        while (plumb_history_recording_next(r, &e, &err) ==
               PLUMB_RECORDED_EVENT)
            if (e.is_call) {
                assert_true(!any || returned + uncertainty < e.time);
                calls++;
            } else {
                returned = any && returned > e.time ? returned : e.time;
                any = true;
                returns++;
            }
        assert_int_equal(calls, 30);
        assert_int_equal(returns, 30);
        plumb_history_recording_close(r);
        free(f.b.data);
    }
}

/* ---- files that are not whole ---- */

static void what_came_before_the_mark_is_read(void **state)
{
    const char *const thread[] = { "c10 r20 c50 r60", "c30 r40 c70 r80" };
    struct file f = recording_of(0, thread, 2);
    (void)state;
    reopen(f.b);
    header_of(f.b)->mark = 55;
    assert_ranks(f.b, false, "P1:0-1 P2:2-3 P1:4-never");
    header_of(f.b)->mark = 5;
    assert_ranks(f.b, false, "");
    assert_ranks(f.b, true, "P1:0-1 P2:2-3 P1:4-5 P2:6-7");
    free(f.b.data);
}

static void a_chunk_that_is_cut_off_ends_it_in_time(void **state)
{
    const char *const thread[] = { "c10 r20 c60 r61" };
    struct file f = recording_of(0, thread, 1);
    struct plumb_history h;
    struct plumb_error err;
    char note[200];
    (void)state;
    add_desk(&f, 2, 50);
    add_word(&f, 2,
             plumb_history_recording_head(RECORDING_CALL, 0, 0, 1, 1, 0));
    close_recording(&f);
    assert_ranks(f.b, false, "P1:0-1 P2:2-never P1:3-4");
    const struct bytes cut = { f.b.data, f.b.size - 1 };
    assert_int_equal(read_bytes(cut, false, &h, NULL, &err), PLUMB_EINPUT);
    assert_int_equal(err.column, cut.size);
    reopen(cut);
    /* those before it were taken at 0: what came then may be incomplete */
    assert_int_equal(read_bytes(cut, true, &h, note, &err), PLUMB_OK);
    assert_int_equal(h.count, 0);
    assert_non_null(strstr(note, "damaged"));
    plumb_history_release(&h);
    chunk_of(&f, 1)->label.taken = 40;
    assert_ranks(cut, true, "P1:0-1");

    free(f.b.data);
}

/* ---- desks that were put away ---- */

/* Thread 1 writes three times; what was first is in a chunk. */
static struct file put_away(void)
{
    const char *const thread[] = { "c10 r20" };
    struct file f = recording_of(0, thread, 1);
    const uint32_t first = add_desk(&f, 1, 9);
    memcpy(chunk_of(&f, first)->word, chunk_of(&f, 1)->word, 16);
    struct plumb_history_chunk *const chunk = chunk_of(&f, first);
    struct plumb_history_chunk *const desk = chunk_of(&f, 1);
    chunk->label.magic = RECORDING_CHUNK_MAGIC;
    chunk->label.taken = 25;
    chunk->label.base = 0;
    chunk->label.used = 2;
    desk->label.state = 2;
    desk->label.base = 25;
    desk->word[0] = plumb_history_recording_head(RECORDING_CALL, 0, 0, 1, 1, 5);
    desk->word[1] =
        plumb_history_recording_head(RECORDING_RETURN, 0, 0, 0, 0, 5);
    close_recording(&f);
    return f;
}

static void chunks_come_before_the_desk(void **state)
{
    struct file f = put_away();
    (void)state;
    assert_ranks(f.b, false, "P1:0-1 P1:2-3");
    reopen(f.b);
    assert_ranks(f.b, true, "P1:0-1 P1:2-3");
    /* killed before the desk was clean again */
    chunk_of(&f, 1)->label.state = 1;
    assert_ranks(f.b, true, "P1:0-1");
    free(f.b.data);
}

static void a_copy_that_is_not_finished_is_not_needed(void **state)
{
    struct file f = put_away();
    struct plumb_history h;
    struct plumb_error err;
    char note[200];
    (void)state;
    reopen(f.b);
    /* killed while it was copied: all is on the desk */
    chunk_of(&f, 1)->label.state = 0;
    chunk_of(&f, 1)->label.base = 0;
    chunk_of(&f, 1)->label.copy = 3;
    memset(&chunk_of(&f, 2)->label, 0,
           sizeof(struct plumb_history_chunk_label));
    assert_ranks(f.b, true, "P1:0-1");
    /* or is it something else that is missing? */
    chunk_of(&f, 1)->label.copy = 0;
    assert_int_equal(read_bytes(f.b, true, &h, note, &err), PLUMB_OK);
    assert_int_equal(h.count, 0);
    assert_non_null(strstr(note, "missing"));
    plumb_history_release(&h);
    free(f.b.data);
}

static void a_chunk_that_is_missing_is_noticed(void **state)
{
    struct file f = put_away();
    struct plumb_history h;
    struct plumb_error err;
    (void)state;
    chunk_of(&f, 1)->label.state = 4;
    close_recording(&f);
    assert_int_equal(read_bytes(f.b, false, &h, NULL, &err), PLUMB_EINPUT);
    assert_non_null(strstr(err.message, "chunk 1 of this thread is missing"));
    reopen(f.b);
    assert_ranks(f.b, true, "P1:0-never");
    free(f.b.data);
}

/* The pages of a chunk that was not full when the machine stopped. */
static void what_is_missing_in_the_middle_is_noticed(void **state)
{
    const char *const thread[] = { "c10 r20 c30 r40", "c15 r25 c35 r45" };
    struct file f = recording_of(0, thread, 2);
    struct plumb_history h;
    struct plumb_error err;
    char note[200];
    (void)state;
    reopen(f.b);
    chunk_of(&f, 1)->label.used = 0;
    assert_ranks(f.b, true, "P1:0-2 P2:1-3 P1:4-6 P2:5-7");
    chunk_of(&f, 1)->word[2] = 0;
    chunk_of(&f, 1)->word[3] = 0;
    chunk_of(&f, 1)->word[1000] = 1;
    assert_int_equal(read_bytes(f.b, true, &h, note, &err), PLUMB_OK);
    assert_non_null(strstr(note, "missing"));
    struct plumb_base_text t;
    plumb_base_text_init(&t, NULL);
    show_ranks(&h, &t);
    assert_string_equal(plumb_base_text_string(&t), "P1:0-never P2:1-never");
    plumb_base_text_release(&t);
    plumb_history_release(&h);
    free(f.b.data);
}

/* ---- files that are wrong ---- */

static struct bytes sample(void)
{
    char *const path = new_file();
    plumb_recorder *const r = plumb_record_open(path);
    const struct plumb_value v[] = { plumb_record_text("text"), plumb_nil(),
                                     plumb_bool(true), plumb_int(5) };
    const int64_t x = 3;
    assert_non_null(r);
    plumb_record_begin_values(r, "object", "operation", v, 4);
    plumb_record_end_values(r, "term", v, 4);
    plumb_record_begin(r, "object", "f", &x, 1);
    plumb_record_end(r, NULL, &x, 1);
    plumb_record_begin(r, "object", "g", &x, 1);
    assert_int_equal(plumb_record_close(r), 0);
    const struct bytes b = read_file(path);
    forget_file(path);
    return b;
}

static void show(struct bytes b, bool whole, struct plumb_base_text *t,
                 enum plumb_status *status)
{
    struct plumb_history h;
    struct plumb_error err = { 0 };
    *status = read_bytes(b, whole, &h, NULL, &err);
    if (*status != PLUMB_OK) {
        assert_int_equal(*status, PLUMB_EINPUT);
        assert_int_equal(err.line, 0);
        assert_true(err.column <= b.size);
        assert_true(err.message[0] != 0);
        return;
    }
    assert_int_equal(plumb_history_validate(&h, &err), PLUMB_OK);
    show_history(t, &h);
    plumb_history_release(&h);
}

/* Bytes that mean something: of the header, of each chunk's head, and of the
 * words in use. */
static bool has_meaning(struct bytes b, size_t at)
{
    if (at < RECORDING_HEADER)
        return at < sizeof(struct plumb_history_recording_header);
    const size_t in = (at - RECORDING_HEADER) % RECORDING_CHUNK;
    const void *const chunk = b.data + at - in;
    const struct plumb_history_chunk *const c = chunk;
    return in < 64 + c->label.used * 8;
}

/* If the file was closed, any change is noticed, or has changed nothing. */
static void every_changed_byte_is_noticed(void **state)
{
    const struct bytes b = sample();
    struct plumb_base_text right;
    enum plumb_status status;
    size_t noticed = 0;
    (void)state;
    plumb_base_text_init(&right, NULL);
    show(b, false, &right, &status);
    assert_int_equal(status, PLUMB_OK);
    for (size_t at = 0; at < b.size; at++) {
        if (!has_meaning(b, at) && at % 509)
            continue;
        for (unsigned change = 1; change < 256; change *= 4) {
            struct plumb_base_text t;
            plumb_base_text_init(&t, NULL);
            b.data[at] = (char)(b.data[at] ^ (char)change);
            show(b, false, &t, &status);
            b.data[at] = (char)(b.data[at] ^ (char)change);
            if (status == PLUMB_OK)
                assert_string_equal(plumb_base_text_string(&t),
                                    plumb_base_text_string(&right));
            else
                noticed++;
            plumb_base_text_release(&t);
        }
    }
    assert_true(noticed > 1000);
    plumb_base_text_release(&right);
    free(b.data);
}

/* If not, nothing bad happens, and what is read is a history. */
static void whatever_is_changed_something_sound_comes_out(void **state)
{
    const struct bytes b = sample();
    (void)state;
    reopen(b);
    for (size_t at = 0; at < b.size; at++) {
        if (!has_meaning(b, at) && at % 509)
            continue;
        for (unsigned change = 1; change < 256; change *= 2) {
            struct plumb_base_text t;
            enum plumb_status status;
            plumb_base_text_init(&t, NULL);
            b.data[at] = (char)(b.data[at] ^ (char)change);
            show(b, true, &t, &status);
            show(b, false, &t, &status);
            b.data[at] = (char)(b.data[at] ^ (char)change);
            plumb_base_text_release(&t);
        }
    }
    free(b.data);
}

/* ... also where the checksums are right. */
static void chunks_that_were_signed_are_not_trusted_either(void **state)
{
    const struct bytes b = sample();
    (void)state;
    for (size_t at = RECORDING_HEADER; at < b.size; at++) {
        const size_t in = (at - RECORDING_HEADER) % RECORDING_CHUNK;
        void *const chunk = b.data + at - in;
        struct plumb_history_chunk *const c = chunk;
        if (!has_meaning(b, at) || (in >= 40 && in < 64))
            continue;
        for (unsigned change = 1; change < 256; change *= 2) {
            const uint64_t sum = c->label.checksum;
            struct plumb_base_text t;
            enum plumb_status status;
            plumb_base_text_init(&t, NULL);
            b.data[at] = (char)(b.data[at] ^ (char)change);
            c->label.checksum = plumb_history_recording_sum(&c->label, c->word);
            show(b, false, &t, &status);
            b.data[at] = (char)(b.data[at] ^ (char)change);
            c->label.checksum = sum;
            plumb_base_text_release(&t);
        }
    }
    free(b.data);
}

static void every_length_is_noticed(void **state)
{
    const struct bytes b = sample();
    (void)state;
    for (size_t size = 1; size < b.size;
         size += size < 1000 || size % RECORDING_CHUNK < 100 ? 1 : 97) {
        /* in memory of just that size, for the sanitizer to see */
        const struct bytes cut = { malloc(size), size };
        struct plumb_base_text t;
        enum plumb_status status;
        assert_non_null(cut.data);
        memcpy(cut.data, b.data, size);
        plumb_base_text_init(&t, NULL);
        show(cut, false, &t, &status);
        assert_int_equal(status, PLUMB_EINPUT);
        if (size >= sizeof(struct plumb_history_recording_header)) {
            reopen(cut);
            show(cut, true, &t, &status);
            show(cut, false, &t, &status);
        }
        plumb_base_text_release(&t);
        free(cut.data);
    }
    free(b.data);
}

static void bytes_may_lie_anywhere(void **state)
{
    const struct bytes b = sample();
    const struct bytes moved = { malloc(b.size + 1), b.size };
    struct plumb_base_text one, other;
    enum plumb_status status;
    (void)state;
    memcpy(moved.data + 1, b.data, b.size);
    plumb_base_text_init(&one, NULL);
    plumb_base_text_init(&other, NULL);
    show(b, false, &one, &status);
    show((struct bytes){ moved.data + 1, b.size }, false, &other, &status);
    assert_int_equal(status, PLUMB_OK);
    assert_string_equal(plumb_base_text_string(&one),
                        plumb_base_text_string(&other));
    plumb_base_text_release(&one);
    plumb_base_text_release(&other);
    free(moved.data);
    free(b.data);
}

static void any_allocation_may_fail(void **state)
{
    const struct bytes b = sample();
    bool failed = true;
    (void)state;
    for (size_t nth = 1; failed; nth++) {
        struct plumb_budget *const budget = plumb_budget_new(0, 0);
        struct plumb_reader *r = NULL;
        struct plumb_history h;
        struct plumb_error err;
        plumb_base_budget_fail_at(budget, nth);
        enum plumb_status status =
            plumb_reader_open(&r, b.data, b.size, PLUMB_FORMAT_AUTO,
                              PLUMB_TIES_OF_FORMAT, budget, &err);
        if (status == PLUMB_OK)
            status = plumb_reader_next(r, &h, &err);
        failed = plumb_base_budget_has_failed(budget);
        assert_int_equal(status, failed ? PLUMB_EMEMORY : PLUMB_OK);
        if (status == PLUMB_OK)
            plumb_history_release(&h);
        plumb_reader_close(r);
        assert_int_equal(plumb_budget_used(budget), 0);
        plumb_budget_free(budget);
    }
    free(b.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_in_the_order_of_time),
        cmocka_unit_test(at_the_same_time_calls_come_first),
        cmocka_unit_test(what_is_in_doubt_overlaps),
        cmocka_unit_test(no_order_is_made_up),
        cmocka_unit_test(what_came_before_the_mark_is_read),
        cmocka_unit_test(a_chunk_that_is_cut_off_ends_it_in_time),
        cmocka_unit_test(chunks_come_before_the_desk),
        cmocka_unit_test(a_copy_that_is_not_finished_is_not_needed),
        cmocka_unit_test(a_chunk_that_is_missing_is_noticed),
        cmocka_unit_test(what_is_missing_in_the_middle_is_noticed),
        cmocka_unit_test(every_changed_byte_is_noticed),
        cmocka_unit_test(whatever_is_changed_something_sound_comes_out),
        cmocka_unit_test(chunks_that_were_signed_are_not_trusted_either),
        cmocka_unit_test(every_length_is_noticed),
        cmocka_unit_test(bytes_may_lie_anywhere),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
