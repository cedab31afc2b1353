/* trace_values.c - what the values of a trace are called: by the type of where
 * they are, and if one is an address, by what is there. */
#include "trace_names.h"

#include "app/binary/demangle.h"
#include <stdio.h>
#include <string.h>

enum { SMALL = 1000000 }; /* larger numbers are hexadecimal */

static void write_number(uint64_t value, struct plumb_base_text *out)
{
    if (value < SMALL)
        plumb_base_text_printf(out, "%llu", (unsigned long long)value);
    else
        plumb_base_text_printf(out, "0x%llx", (unsigned long long)value);
}

static void write_signed(uint64_t value, uint32_t size,
                         struct plumb_base_text *out)
{
    const unsigned shift = size < 8 ? 64 - 8 * size : 0;
    const int64_t number = (int64_t)(value << shift) >> shift;
    if (number > -SMALL && number < SMALL)
        plumb_base_text_printf(out, "%lld", (long long)number);
    else
        plumb_base_text_printf(out, "0x%llx", (unsigned long long)value);
}

static void write_float(uint64_t value, uint32_t size,
                        struct plumb_base_text *out)
{
    double number = 0;
    if (size == sizeof(float)) {
        const uint32_t bits = (uint32_t)value;
        float half;
        memcpy(&half, &bits, sizeof half);
        number = (double)half;
    } else
        memcpy(&number, &value, sizeof number);
    plumb_base_text_printf(out, "%g", number);
}

/* ---- addresses ---- */

static uint32_t size_of_type(const struct explore_trace_names *n,
                             binary_symbol_type type)
{
    char name[SYMBOL_NAME];
    uint64_t size = 0;
    if (!n->symbols || !type)
        return 0;
    binary_symbols_type(n->symbols, type, name, &size);
    return size <= UINT32_MAX ? (uint32_t)size : 0;
}

/* A block is its name, with the bits that mark pointers in lists. */
static bool write_block(const struct explore_trace_names *n, uint32_t i,
                        uint64_t value, struct plumb_base_text *out)
{
    const struct explore_trace_block *const b =
        explore_trace_block_at(n, i, value);
    if (!b || (value != b->at && (value - b->at >= 4 || b->type == 0)))
        return false;
    explore_trace_block_name(n, b, out);
    if (value != b->at)
        plumb_base_text_printf(out, "|%u", (unsigned)(value - b->at));
    return true;
}

static bool write_function(const struct explore_trace_names *n, uint64_t value,
                           struct plumb_base_text *out)
{
    struct binary_symbol_place place;
    const uint64_t base = n->job->memory.base;
    if (!n->symbols || value < base ||
        !binary_symbols_place(n->symbols, value - base, &place) ||
        !place.function[0])
        return false;
    plumb_base_text_printf(out, "%s()", place.function);
    return true;
}

/* What an object of C++ points to first: "vtable for B". */
static bool write_table(const struct binary_symbol_spot *spot,
                        struct plumb_base_text *out)
{
    char name[sizeof spot->name];
    if (strncmp(spot->name, "_ZTV", 4) != 0)
        return false;
    memcpy(name, spot->name, sizeof name);
    name[strcspn(name, "+")] = '\0';
    binary_demangle(name, out);
    return true;
}

static bool write_address(const struct explore_trace_names *n, uint32_t i,
                          uint64_t value, binary_symbol_type pointee,
                          struct plumb_base_text *out)
{
    struct binary_symbol_spot spot;
    if (value < 4096)
        return false;
    if (write_block(n, i, value, out))
        return true;
    if (!explore_trace_spot(n, i, value, size_of_type(n, pointee), &spot))
        return write_function(n, value, out);
    if (spot.into) /* no such thing begins there: whatever does */
        explore_trace_spot(n, i, value, 0, &spot);
    if (!write_table(&spot, out))
        plumb_base_text_printf(out, "%s%s", strchr(spot.name, '@') ? "" : "&",
                               spot.name);
    return true;
}

static void write_pointer(const struct explore_trace_names *n, uint32_t i,
                          const struct binary_symbol_spot *spot, uint64_t value,
                          struct plumb_base_text *out)
{
    if (value == 0)
        plumb_base_text_add(out, n->ascii ? "NULL" : "∅");
    else if (!write_address(n, i, value, spot->pointee, out))
        write_number(value, out);
}

/* ---- several values in one ---- */

static job_trace_value cut(job_trace_value value, uint32_t size)
{
    return size >= sizeof value
               ? value
               : value & (((job_trace_value)1 << (8 * size)) - 1);
}

/* The member that is there, if it is known which one. */
static bool part_at(const struct explore_trace_names *n,
                    binary_symbol_type type, uint32_t at,
                    struct binary_symbol_spot *part)
{
    return n->symbols && binary_symbols_inside(n->symbols, type, at, 1, part) &&
           part->shape != SHAPE_AGGREGATE && part->size != 0 && !part->into;
}

static void write_aggregate(const struct explore_trace_names *n, uint32_t i,
                            const struct binary_symbol_spot *spot,
                            uint32_t size, job_trace_value value,
                            struct plumb_base_text *out)
{
    const char *comma = "";
    uint32_t at = 0;
    plumb_base_text_add(out, "{");
    while (at < size && at < sizeof value) {
        struct binary_symbol_spot part;
        if (!part_at(n, spot->type, at, &part))
            break;
        plumb_base_text_add(out, comma);
        explore_trace_value(n, i, &part, part.size, value >> (8 * at), out);
        comma = ",";
        at += part.size;
    }
    if (at < size)
        plumb_base_text_printf(out, "%s%s", comma, n->ascii ? "..." : "…");
    plumb_base_text_add(out, "}");
}

static void write_wide(job_trace_value value, struct plumb_base_text *out)
{
    plumb_base_text_printf(out, "0x%llx%016llx",
                           (unsigned long long)(value >> 64),
                           (unsigned long long)value);
}

/* One number, of at most 8 bytes. */
static void write_simple(const struct explore_trace_names *n, uint32_t i,
                         const struct binary_symbol_spot *spot, uint32_t size,
                         uint64_t value, struct plumb_base_text *out)
{
    char name[SYMBOL_NAME];
    switch (spot->shape) {
    case SHAPE_POINTER:
        write_pointer(n, i, spot, value, out);
        return;
    case SHAPE_BOOL:
        if (value <= 1)
            plumb_base_text_add(out, value ? "true" : "false");
        else
            write_number(value, out);
        return;
    case SHAPE_SIGNED:
        if (size < 8 || !write_block(n, i, value, out))
            write_signed(value, size, out);
        return;
    case SHAPE_FLOAT:
        write_float(value, size, out);
        return;
    case SHAPE_ENUM:
        if (n->symbols && binary_symbols_enumerator(n->symbols, spot->type,
                                                    (int64_t)value, name))
            plumb_base_text_add(out, name);
        else
            write_signed(value, size, out);
        return;
    default:
        if (size < 8 || !write_address(n, i, value, 0, out))
            write_number(value, out);
        return;
    }
}

void explore_trace_value(const struct explore_trace_names *n, uint32_t i,
                         const struct binary_symbol_spot *spot, uint32_t size,
                         job_trace_value value, struct plumb_base_text *out)
{
    static const struct binary_symbol_spot unknown;
    struct binary_symbol_spot part;
    /* a part of it, or more than it, is of no known type; nor is a union */
    if (spot->into || (spot->size && size && spot->size != size) ||
        (spot->shape == SHAPE_AGGREGATE && size <= sizeof value &&
         !part_at(n, spot->type, 0, &part)))
        spot = &unknown;
    if (size)
        value = cut(value, size);
    if (spot->shape == SHAPE_AGGREGATE)
        write_aggregate(n, i, spot, size, value, out);
    else if (value >> 64)
        write_wide(value, out);
    else
        write_simple(n, i, spot, size, (uint64_t)value, out);
}
