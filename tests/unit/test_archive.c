/* test_archive.c - packed data comes out as it went in, however it is cut. */
#include "app/archive/archive.h"
#include "base/memory.h"
#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#ifdef WITH_GZIP
#include <zlib.h>
#endif
#ifdef WITH_ZSTD
#include <zstd.h>
#endif

#include <cmocka.h>

enum { TEXT = 3000, MOST = 2 * TEXT };

static char text[TEXT];

static size_t pack_gzip(const char *data, size_t size, char *out, size_t room)
{
#ifdef WITH_GZIP
    z_stream z = { 0 };
    if (deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return 0;
    unsigned char copy[TEXT];
    memcpy(copy, data, size);
    z.next_in = copy;
    z.avail_in = (unsigned)size;
    z.next_out = (Bytef *)out;
    z.avail_out = (unsigned)room;
    deflate(&z, Z_FINISH);
    deflateEnd(&z);
    return room - z.avail_out;
#else
    (void)data, (void)size, (void)out, (void)room;
    return 0;
#endif
}

static size_t pack_zstd(const char *data, size_t size, char *out, size_t room)
{
#ifdef WITH_ZSTD
    ZSTD_CCtx *const c = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
    const size_t made = ZSTD_compress2(c, out, room, data, size);
    ZSTD_freeCCtx(c);
    return made;
#else
    (void)data, (void)size, (void)out, (void)room;
    return 0;
#endif
}

typedef size_t packer(const char *data, size_t size, char *out, size_t room);
static packer *const packers[] = { pack_gzip, pack_zstd };
enum { PACKERS = sizeof packers / sizeof *packers };

/* Lines as in a history: they pack well, and not to nothing. */
static void make_text(void)
{
    struct plumb_base_rng rng;
    plumb_base_rng_seed(&rng, 5);
    for (size_t i = 0; i < TEXT; i++)
        text[i] = "q enq(0123456789)\n"[plumb_base_rng_below(&rng, 18)];
}

struct unpacking {
    char out[MOST + 100];
    size_t size;
    enum plumb_status status;
    struct plumb_error err;
};

/* In pieces of up to `piece` bytes, with room for up to `room`. */
static void unpack(const char *data, size_t size, size_t piece, size_t room,
                   struct plumb_budget *budget, struct unpacking *u)
{
    struct archive *a = NULL;
    u->size = 0;
    u->status = archive_new(&a, archive_kind_of(data, size), budget, &u->err);
    for (size_t at = 0; u->status == PLUMB_OK && at < size; at += piece) {
        const char *in = data + at;
        size_t left = size - at < piece ? size - at : piece;
        size_t made = room;
        while (u->status == PLUMB_OK && made == room) {
            if (sizeof u->out - u->size < room) {
                u->status = PLUMB_EBUG;
                break;
            }
            u->status = archive_unpack(a, &in, &left, u->out + u->size, room,
                                       &made, &u->err);
            u->size += u->status == PLUMB_OK ? made : 0;
        }
        if (u->status == PLUMB_OK && left)
            u->status = PLUMB_EBUG; /* something was left behind */
    }
    if (u->status == PLUMB_OK)
        u->status = archive_end(a, &u->err);
    archive_free(a);
}

static void data_comes_out_as_it_went_in(void **state)
{
    static char packed[2 * MOST];
    static struct unpacking u;
    (void)state;
    for (unsigned k = 0; k < PACKERS; k++) {
        const size_t size = packers[k](text, TEXT, packed, MOST);
        for (size_t piece = 1; size && piece < 60; piece += 1 + piece / 4)
            for (size_t room = 1; room < 100; room += 1 + room / 3) {
                unpack(packed, size, piece, room, NULL, &u);
                assert_int_equal(u.status, PLUMB_OK);
                assert_int_equal(u.size, TEXT);
                assert_memory_equal(u.out, text, TEXT);
            }
    }
}

static void members_follow_each_other(void **state)
{
    static char packed[2 * MOST];
    static struct unpacking u;
    (void)state;
    for (unsigned k = 0; k < PACKERS; k++) {
        size_t size = packers[k](text, TEXT, packed, MOST);
        if (!size)
            continue;
        size += packers[k](text, TEXT, packed + size, MOST);
        memset(packed + size, 0, 20); /* as on tapes */
        size += 20;
        for (size_t piece = 1; piece < size; piece += 1 + piece / 2) {
            unpack(packed, size, piece, 50, NULL, &u);
            assert_int_equal(u.status, PLUMB_OK);
            assert_int_equal(u.size, MOST);
            assert_memory_equal(u.out + TEXT, text, TEXT);
        }
    }
}

static void an_early_end_is_told_with_its_place(void **state)
{
    static char packed[MOST];
    static struct unpacking u;
    char place[40];
    (void)state;
    for (unsigned k = 0; k < PACKERS; k++) {
        const size_t size = packers[k](text, TEXT, packed, MOST);
        for (size_t cut = ARCHIVE_MAGIC; cut < size; cut++) {
            unpack(packed, cut, cut, 100, NULL, &u);
            assert_int_equal(u.status, PLUMB_EINPUT);
            snprintf(place, sizeof place, "at byte %zu:", cut);
            assert_non_null(strstr(u.err.message, place));
        }
    }
}

/* Both kinds have a checksum; parts of gzip's header mean nothing to us. */
static void damaged_data_is_told_or_comes_out_right(void **state)
{
    static char packed[MOST];
    static struct unpacking u;
    unsigned told = 0, tried = 0;
    (void)state;
    for (unsigned k = 0; k < PACKERS; k++) {
        const size_t size = packers[k](text, TEXT, packed, MOST);
        for (size_t i = ARCHIVE_MAGIC; i < size; i++, tried++) {
            packed[i] ^= 0x11;
            unpack(packed, size, size, 100, NULL, &u);
            packed[i] ^= 0x11;
            told += u.status != PLUMB_OK;
            if (u.status == PLUMB_OK) {
                assert_int_equal(u.size, TEXT);
                assert_memory_equal(u.out, text, TEXT);
            }
        }
    }
    assert_true(told >= tried - tried / 50);
}

static void every_allocation_may_fail(void **state)
{
    static char packed[MOST];
    static struct unpacking u;
    (void)state;
    for (unsigned k = 0; k < PACKERS; k++) {
        const size_t size = packers[k](text, TEXT, packed, MOST);
        for (size_t nth = 1; size; nth++) {
            struct plumb_budget *const b = plumb_budget_new(0, 0);
            plumb_base_budget_fail_at(b, nth);
            unpack(packed, size, 100, 100, b, &u);
            const bool failed = plumb_base_budget_has_failed(b);
            assert_int_equal(plumb_budget_used(b), 0);
            plumb_budget_free(b);
            assert_int_equal(u.status, failed ? PLUMB_EMEMORY : PLUMB_OK);
            if (!failed)
                break;
        }
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_comes_out_as_it_went_in),
        cmocka_unit_test(members_follow_each_other),
        cmocka_unit_test(an_early_end_is_told_with_its_place),
        cmocka_unit_test(damaged_data_is_told_or_comes_out_right),
        cmocka_unit_test(every_allocation_may_fail),
    };
    make_text();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
