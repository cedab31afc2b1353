/* binary.c - histories that are mapped, not parsed.
 *
 * A file is a sequence of blocks, one per history, each of a header and the
 * history's arrays as they are in memory:
 *
 *     header | op[] | value[] | thread[] | object[] | start[] | text
 *
 * Every section begins at a multiple of 16 bytes from the block's start, and
 * sections follow each other without gaps but padding, so that the header's
 * counts determine the layout; its offsets are written for other programs and
 * must agree.  Opening looks at the header alone and takes the same time for
 * any size; what the arrays hold is plumb_reader_validate()'s business. */
#include "base/fail.h"
#include "base/fnv.h"
#include "base/memory.h"
#include "emit.h"
#include "history/builder.h"
#include "history/reader.h"
#include "history/symbols.h"
#include <assert.h>

enum { OPS, VALUES, THREADS, OBJECTS, STARTS, TEXT, SECTIONS };
enum { VERSION = 1, ALIGNMENT = 16, MEMORY_ALIGNMENT = 8 };

#define ORDER_MARK 0x0a0b0c0du /* reads 0x0d0c0b0a in the other byte order */

static const char magic[8] = { '\x89', 'P', 'l', 'u', 'm', 'b', '\r', '\n' };

struct header {
    char magic[8];
    uint32_t order;            /* ORDER_MARK, in the byte order of the file */
    uint32_t version;          /* VERSION */
    uint64_t size;             /* of the block, this header included */
    uint64_t offset[SECTIONS]; /* from the start of the block */
    uint32_t ops, values, threads, objects, symbols, text;
    uint32_t events, spec;
    uint32_t zero[4];
    uint64_t checksum; /* of all bytes before it */
};

static_assert(sizeof(struct header) == 128, "the header is 128 bytes");
static_assert(sizeof(struct plumb_op) == 32, "an operation is 32 bytes");
static_assert(sizeof(struct plumb_value) == 16, "a value is 16 bytes");

static uint64_t checksum(const struct header *h)
{
    return plumb_base_fnv(PLUMB_FNV, h, offsetof(struct header, checksum));
}

/* ---- layout ---- */

static uint64_t section_size(const struct header *h, int section)
{
    switch (section) {
    case OPS:
        return h->ops * (uint64_t)sizeof(struct plumb_op);
    case VALUES:
        return h->values * (uint64_t)sizeof(struct plumb_value);
    case THREADS:
        return h->threads * (uint64_t)sizeof(uint32_t);
    case OBJECTS:
        return h->objects * (uint64_t)sizeof(uint32_t);
    case STARTS:
        return (h->symbols + (uint64_t)1) * sizeof(uint32_t);
    default:
        return h->text;
    }
}

static uint64_t aligned(uint64_t size)
{
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Where the sections go.  Counts have 32 bits, so nothing here overflows.
 * Returns the size of the block. */
static uint64_t lay_out(const struct header *h, uint64_t offset[SECTIONS])
{
    uint64_t at = sizeof *h;
    for (int s = 0; s < SECTIONS; s++) {
        offset[s] = at;
        at += aligned(section_size(h, s));
    }
    return at;
}

/* ---- opening ---- */

static enum plumb_status fail(const struct plumb_reader *r, size_t offset,
                              const char *message, struct plumb_error *err)
{
    return plumb_base_fail(err, PLUMB_EINPUT, 0, r->at + offset, "%s", message);
}

static enum plumb_status check_kind(const struct plumb_reader *r,
                                    const struct header *h,
                                    struct plumb_error *err)
{
    if (memcmp(h->magic, magic, sizeof magic) != 0)
        return fail(r, 0, "not the start of a binary history", err);
    if (h->order == __builtin_bswap32(ORDER_MARK))
        return fail(r, offsetof(struct header, order),
                    "written on a machine with the opposite byte order", err);
    if (h->order != ORDER_MARK)
        return fail(r, offsetof(struct header, order),
                    "the byte order mark is corrupt", err);
    if (h->version != VERSION)
        return plumb_base_fail(
            err, PLUMB_EINPUT, 0, r->at + offsetof(struct header, version),
            "version %u of the binary format is not supported",
            (unsigned)h->version);
    if (h->checksum != checksum(h))
        return fail(r, offsetof(struct header, checksum),
                    "the header is corrupt: its checksum is wrong", err);
    return PLUMB_OK;
}

static enum plumb_status check_counts(const struct plumb_reader *r,
                                      const struct header *h,
                                      struct plumb_error *err)
{
    uint64_t offset[SECTIONS];
    if (lay_out(h, offset) != h->size)
        return fail(r, offsetof(struct header, size),
                    "the header's counts and size disagree", err);
    if (memcmp(offset, h->offset, sizeof offset) != 0)
        return fail(r, offsetof(struct header, offset),
                    "the header's counts and offsets disagree", err);
    if (h->symbols == 0 || h->text < h->symbols || h->spec >= h->symbols)
        return fail(r, offsetof(struct header, symbols),
                    "the header's symbol counts are invalid", err);
    if (h->events < h->ops || h->events > 2 * (uint64_t)h->ops)
        return fail(r, offsetof(struct header, events),
                    "the header's number of events is invalid", err);
    if (h->size > r->size - r->at)
        return plumb_base_fail(
            err, PLUMB_EINPUT, 0, r->at,
            "truncated: the header says %llu bytes, %llu are left",
            (unsigned long long)h->size, (unsigned long long)(r->size - r->at));
    return PLUMB_OK;
}

static enum plumb_status read_header(const struct plumb_reader *r,
                                     struct header *h, struct plumb_error *err)
{
    const size_t left = r->size - r->at;
    if (left < sizeof *h)
        return plumb_base_fail(
            err, PLUMB_EINPUT, 0, r->at,
            "truncated: a header has %zu bytes, %zu are left", sizeof *h, left);
    memcpy(h, r->data + r->at, sizeof *h);
    const enum plumb_status status = check_kind(r, h, err);
    return status == PLUMB_OK ? check_counts(r, h, err) : status;
}

/* What a mapped history owns: its symbol table's head, and its block only if
 * that had to be copied because the caller's bytes were not aligned. */
struct mapping {
    struct plumb_history_owner owner;
    struct plumb_budget *budget;
    struct plumb_symbols symbols;
    void *copy;
    size_t copy_size;
};

static void release_mapping(struct plumb_history_owner *owner)
{
    struct mapping *const m = (struct mapping *)owner;
    plumb_base_release(m->budget, m->copy, m->copy_size);
    plumb_base_release(m->budget, m, sizeof *m);
}

static struct mapping *new_mapping(struct plumb_budget *budget)
{
    struct mapping *const m = plumb_base_alloc_zeroed(budget, sizeof *m);
    if (!m)
        return NULL;
    m->owner.release = release_mapping;
    m->budget = budget;
    return m;
}

/* The block's bytes where they can be used in place. */
static const char *settle(struct mapping *m, const char *block, size_t size)
{
    if ((uintptr_t)block % MEMORY_ALIGNMENT == 0)
        return block;
    m->copy = plumb_base_alloc(m->budget, size);
    if (!m->copy)
        return NULL;
    m->copy_size = size;
    return memcpy(m->copy, block, size);
}

static void lay_over(struct plumb_history *h, const struct header *f,
                     const char *block, struct mapping *m)
{
    const void *section[SECTIONS];
    for (int s = 0; s < SECTIONS; s++)
        section[s] = block + f->offset[s];
    m->symbols = (struct plumb_symbols){ .budget = m->budget,
                                         .text = section[TEXT],
                                         .start = section[STARTS],
                                         .count = f->symbols,
                                         .text_size = f->text };
    *h = (struct plumb_history){ .op = section[OPS],
                                 .value = section[VALUES],
                                 .thread = section[THREADS],
                                 .object = section[OBJECTS],
                                 .symbols = &m->symbols,
                                 .count = f->ops,
                                 .values = f->values,
                                 .threads = f->threads,
                                 .objects = f->objects,
                                 .events = f->events,
                                 .spec = f->spec,
                                 .owner = m };
}

/* Nothing behind a bad block can be trusted to begin where it seems to. */
static enum plumb_status map(struct plumb_reader *r, struct plumb_history *h,
                             struct plumb_error *err)
{
    struct header f = { .size = 0 };
    if (r->at == r->size)
        return PLUMB_END;
    const enum plumb_status status = read_header(r, &f, err);
    const char *const block = r->data + r->at;
    if (status != PLUMB_OK) {
        r->at = r->size;
        return status;
    }
    struct mapping *const m = new_mapping(r->budget);
    const char *const there = m ? settle(m, block, (size_t)f.size) : NULL;
    if (!there) {
        if (m)
            release_mapping(&m->owner);
        return plumb_base_fail_memory(err);
    }
    lay_over(h, &f, there, m);
    r->at += (size_t)f.size;
    return PLUMB_OK;
}

/* The arrays may be a copy: count from their header, which the operations
 * follow, and that from where the block begins in the file. */
static enum plumb_status validate(const struct plumb_reader *r,
                                  const struct plumb_history *h,
                                  struct plumb_error *err)
{
    const uintptr_t block = (uintptr_t)h->op - sizeof(struct header);
    return plumb_history_validate_from(h, block - r->begin, err);
}

/* ---- writing ---- */

static struct header header_of(const struct plumb_history *h)
{
    struct header f;
    memset(&f, 0, sizeof f);
    memcpy(f.magic, magic, sizeof magic);
    f.order = ORDER_MARK;
    f.version = VERSION;
    f.ops = h->count;
    f.values = h->values;
    f.threads = h->threads;
    f.objects = h->objects;
    f.symbols = h->symbols->count;
    f.text = h->symbols->text_size;
    f.events = h->events;
    f.spec = h->spec;
    f.size = lay_out(&f, f.offset);
    f.checksum = checksum(&f);
    return f;
}

static enum plumb_status write_block(const struct plumb_history *h,
                                     size_t index,
                                     const struct plumb_sink *sink,
                                     uint64_t losses[PLUMB_LOSSES],
                                     struct plumb_error *err)
{
    static const char padding[ALIGNMENT];
    const struct header f = header_of(h);
    const void *const section[SECTIONS] = {
        [OPS] = h->op,
        [VALUES] = h->value,
        [THREADS] = h->thread,
        [OBJECTS] = h->object,
        [STARTS] = h->symbols->start,
        [TEXT] = h->symbols->text,
    };
    struct plumb_history_emit out;
    (void)index;  /* blocks need nothing between them */
    (void)losses; /* nothing is lost */
    plumb_history_emit_begin(&out, sink);
    plumb_history_emit_bytes(&out, &f, sizeof f);
    for (int s = 0; s < SECTIONS; s++) {
        const uint64_t size = section_size(&f, s);
        plumb_history_emit_bytes(&out, section[s], (size_t)size);
        plumb_history_emit_bytes(&out, padding, (size_t)(aligned(size) - size));
    }
    return plumb_history_emit_end(&out, err);
}

static int detect(const char *data, size_t size)
{
    const bool same =
        size >= sizeof magic && !memcmp(data, magic, sizeof magic);
    return same ? 100 : 0;
}

const struct plumb_history_format_class plumb_history_format_binary = {
    .format = PLUMB_FORMAT_BINARY,
    .name = "binary",
    .what = "Plumbline's binary format, mapped without parsing",
    .ties = PLUMB_TIES_CALL_FIRST,
    .detect = detect,
    .map = map,
    .validate = validate,
    .write = write_block,
};
