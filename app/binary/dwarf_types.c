/* dwarf_types.c - what is where in something of a type.
 *
 *     struct queue { _Atomic(struct node *) head; struct slot slots[4]; };
 *     offset 24, 8 bytes, of a queue:  .slots[1].value, a pointer
 *
 * Names that are reserved for implementations say nothing to a reader and are
 * left out where there is nothing beside them: std::atomic<node *> head is
 * `head`, not `head._M_b._M_p`; but `v._M_finish` is not `v`.  A name that
 * begins with two underscores ends the way down: a pthread_mutex_t is itself,
 * not the lock in it. */
#include "dwarf_info.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- types ---- */

bool binary_dwarf_type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    return dwarf_attr_integrate(die, DW_AT_type, &attribute) &&
           dwarf_formref_die(&attribute, type);
}

bool binary_dwarf_number(Dwarf_Die *die, unsigned name, uint64_t *value)
{
    Dwarf_Attribute attribute;
    Dwarf_Word word;
    if (!dwarf_attr_integrate(die, name, &attribute) ||
        dwarf_formudata(&attribute, &word) != 0)
        return false;
    *value = word;
    return true;
}

bool binary_dwarf_plain_type(const Dwarf_Die *type, Dwarf_Die *plain)
{
    Dwarf_Die copy = *type;
    return dwarf_peel_type(&copy, plain) == 0;
}

static bool is_pointer(const Dwarf_Die *plain)
{
    Dwarf_Die copy = *plain;
    const int tag = dwarf_tag(&copy);
    return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
           tag == DW_TAG_rvalue_reference_type;
}

bool binary_dwarf_points_to(const Dwarf_Die *type, Dwarf_Die *pointee)
{
    Dwarf_Die plain;
    return binary_dwarf_plain_type(type, &plain) && is_pointer(&plain) &&
           binary_dwarf_type_of(&plain, pointee);
}

uint64_t binary_dwarf_size_of(const Dwarf_Die *type)
{
    Dwarf_Die copy = *type;
    Dwarf_Word size;
    return dwarf_aggregate_size(&copy, &size) == 0 ? size : 0;
}

bool binary_dwarf_is_record(const Dwarf_Die *type)
{
    Dwarf_Die copy = *type;
    const int tag = dwarf_tag(&copy);
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
           tag == DW_TAG_union_type;
}

const char *binary_dwarf_type_name(const Dwarf_Die *type, Dwarf_Die *named)
{
    Dwarf_Die at = *type;
    for (unsigned depth = 0; depth < DWARF_DEPTH; depth++) {
        const int tag = dwarf_tag(&at);
        const bool qualifier =
            tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
            tag == DW_TAG_atomic_type || tag == DW_TAG_restrict_type;
        const char *const name = qualifier ? NULL : dwarf_diename(&at);
        Dwarf_Die plain;
        /* struct node is better known than a typedef of it */
        if (name && tag == DW_TAG_typedef &&
            binary_dwarf_plain_type(&at, &plain) &&
            binary_dwarf_is_record(&plain) && dwarf_diename(&plain)) {
            *named = plain;
            return dwarf_diename(&plain);
        }
        if (name) {
            *named = at;
            return name;
        }
        if ((!qualifier && tag != DW_TAG_typedef) ||
            !binary_dwarf_type_of(&at, &at))
            return NULL;
    }
    return NULL;
}

/* ---- members ---- */

struct member {
    Dwarf_Die die, type;
    const char *name;  /* NULL: anonymous, or a base class */
    uint64_t at, size; /* UINT64_MAX: an array without end */
};

static bool has_no_end(const Dwarf_Die *array)
{
    Dwarf_Die copy = *array, range;
    if (dwarf_tag(&copy) != DW_TAG_array_type ||
        dwarf_child(&copy, &range) != 0)
        return false;
    return binary_dwarf_size_of(array) == 0;
}

static bool read_member(const Dwarf_Die *die, struct member *m)
{
    Dwarf_Die plain;
    *m = (struct member){ .die = *die };
    const int tag = dwarf_tag(&m->die);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance)
        return false;
    /* a static member is declared here, and elsewhere */
    if (dwarf_hasattr(&m->die, DW_AT_declaration) ||
        dwarf_hasattr(&m->die, DW_AT_external) ||
        !binary_dwarf_type_of(&m->die, &m->type))
        return false;
    m->name = tag == DW_TAG_member ? dwarf_diename(&m->die) : NULL;
    uint64_t bits;
    if (binary_dwarf_number(&m->die, DW_AT_data_bit_offset, &bits))
        m->at = bits / 8;
    else
        binary_dwarf_number(&m->die, DW_AT_data_member_location, &m->at);
    m->size = binary_dwarf_size_of(&m->type);
    if (m->size == 0 && binary_dwarf_plain_type(&m->type, &plain) &&
        has_no_end(&plain))
        m->size = UINT64_MAX;
    return true;
}

/* From this child of a record on. */
static bool find_member(Dwarf_Die *child, struct member *m)
{
    do
        if (read_member(child, m))
            return true;
    while (dwarf_siblingof(child, child) == 0);
    return false;
}

/* One after the other: false if there are no more. */
static bool first_member(const Dwarf_Die *record, struct member *m)
{
    Dwarf_Die copy = *record, child;
    return dwarf_child(&copy, &child) == 0 && find_member(&child, m);
}

static bool next_member(struct member *m)
{
    Dwarf_Die child;
    return dwarf_siblingof(&m->die, &child) == 0 && find_member(&child, m);
}

bool binary_dwarf_has_members(const Dwarf_Die *record)
{
    struct member m;
    return first_member(record, &m);
}

bool binary_dwarf_has_open_end(const Dwarf_Die *record)
{
    struct member m;
    bool open = false;
    for (bool more = first_member(record, &m); more; more = next_member(&m))
        open = m.size == UINT64_MAX;
    return open;
}

/* ---- what contains what ---- */

static bool is_same(const Dwarf_Die *a, const Dwarf_Die *b)
{
    Dwarf_Die copy[2] = { *a, *b }, named[2];
    if (dwarf_dieoffset(&copy[0]) == dwarf_dieoffset(&copy[1]))
        return true;
    const char *const name[2] = { binary_dwarf_type_name(a, &named[0]),
                                  binary_dwarf_type_name(b, &named[1]) };
    return name[0] && name[1] && strcmp(name[0], name[1]) == 0 &&
           binary_dwarf_size_of(a) == binary_dwarf_size_of(b);
}

static bool contains(const Dwarf_Die *whole, uint64_t offset,
                     const Dwarf_Die *part, unsigned depth);

static bool record_contains(const Dwarf_Die *record, uint64_t offset,
                            const Dwarf_Die *part, unsigned depth)
{
    struct member m;
    for (bool more = first_member(record, &m); more; more = next_member(&m))
        if (offset >= m.at && offset - m.at < m.size &&
            contains(&m.type, offset - m.at, part, depth + 1))
            return true;
    return false;
}

static bool contains(const Dwarf_Die *whole, uint64_t offset,
                     const Dwarf_Die *part, unsigned depth)
{
    Dwarf_Die plain, element;
    if (offset == 0 && is_same(whole, part))
        return true;
    if (depth == DWARF_DEPTH || !binary_dwarf_plain_type(whole, &plain))
        return false;
    if (binary_dwarf_is_record(&plain))
        return record_contains(&plain, offset, part, depth);
    if (dwarf_tag(&plain) != DW_TAG_array_type ||
        !binary_dwarf_type_of(&plain, &element))
        return false;
    const uint64_t each = binary_dwarf_size_of(&element);
    return each && contains(&element, offset % each, part, depth + 1);
}

bool binary_dwarf_contains(const Dwarf_Die *whole, uint64_t offset,
                           const Dwarf_Die *part)
{
    return contains(whole, offset, part, 0);
}

/* ---- the way down ---- */

static void add(struct binary_symbol_spot *spot, const char *format,
                const char *text, uint64_t number)
{
    const size_t used = strlen(spot->name);
    char *const end = spot->name + used;
    const size_t room = sizeof spot->name - used;
    if (text)
        snprintf(end, room, "%s%s", format, text);
    else
        snprintf(end, room, "[%llu]", (unsigned long long)number);
}

/* All that there is in what it is in. */
static bool is_left_out(const struct member *m, uint64_t whole)
{
    return strncmp(m->name, "_M_", 3) == 0 && m->at == 0 && m->size == whole;
}

static enum binary_symbol_shape shape_of_base(Dwarf_Die *base)
{
    uint64_t encoding;
    if (!binary_dwarf_number(base, DW_AT_encoding, &encoding))
        return SHAPE_UNKNOWN;
    switch (encoding) {
    case DW_ATE_boolean:
        return SHAPE_BOOL;
    case DW_ATE_float:
        return SHAPE_FLOAT;
    case DW_ATE_signed:
        return SHAPE_SIGNED;
    case DW_ATE_unsigned:
        return SHAPE_UNSIGNED;
    case DW_ATE_signed_char:
    case DW_ATE_unsigned_char:
    case DW_ATE_UTF:
        return SHAPE_CHARACTER;
    default:
        return SHAPE_UNKNOWN;
    }
}

static enum binary_symbol_shape shape_of(const Dwarf_Die *plain)
{
    Dwarf_Die copy = *plain;
    if (is_pointer(plain))
        return SHAPE_POINTER;
    if (binary_dwarf_is_record(plain))
        return SHAPE_AGGREGATE;
    switch (dwarf_tag(&copy)) {
    case DW_TAG_base_type:
        return shape_of_base(&copy);
    case DW_TAG_enumeration_type:
        return SHAPE_ENUM;
    case DW_TAG_array_type:
        return SHAPE_AGGREGATE;
    default:
        return SHAPE_UNKNOWN;
    }
}

/* It goes no further: this is what is there. */
static void arrive(const Dwarf_Die *type, const Dwarf_Die *plain,
                   uint64_t offset, struct binary_symbol_spot *spot)
{
    Dwarf_Die copy = *type, pointee, named;
    const uint64_t size = binary_dwarf_size_of(type);
    spot->shape = shape_of(plain);
    spot->size = size <= UINT32_MAX ? (uint32_t)size : 0;
    spot->into = offset <= UINT32_MAX ? (uint32_t)offset : UINT32_MAX;
    spot->type = dwarf_dieoffset(&copy);
    spot->pointee = 0;
    if (binary_dwarf_points_to(plain, &pointee))
        spot->pointee = binary_dwarf_type_name(&pointee, &named)
                            ? dwarf_dieoffset(&named)
                            : dwarf_dieoffset(&pointee);
}

static void go_down(const Dwarf_Die *type, uint64_t offset, uint32_t size,
                    unsigned depth, struct binary_symbol_spot *spot);

/* Is all of [offset, offset + size) in it? */
static bool holds(uint64_t at, uint64_t has, uint64_t offset, uint32_t size)
{
    return offset >= at && offset - at < has &&
           (size ? size : 1) <= has - (offset - at);
}

/* What has no name is so far into what has one. */
static void enter_member(const struct member *m, uint64_t whole,
                         uint64_t offset, uint32_t size, unsigned depth,
                         struct binary_symbol_spot *spot)
{
    if (m->name && !is_left_out(m, whole))
        add(spot, ".", m->name, 0);
    const size_t named = strlen(spot->name);
    go_down(&m->type, offset - m->at, size, depth + 1, spot);
    if (!m->name && strlen(spot->name) == named)
        spot->into += (uint32_t)m->at;
}

static bool is_exact(const struct binary_symbol_spot *spot, uint32_t size)
{
    return spot->shape != SHAPE_AGGREGATE && spot->shape != SHAPE_UNKNOWN &&
           spot->into == 0 && (size == 0 || spot->size == size);
}

/* The ways into members that have it all. */
struct ways {
    struct binary_symbol_spot best;
    unsigned found, exact;
    bool closed; /* what is there is of an implementation */
};

static void try_member(const struct member *m, uint64_t whole, uint64_t offset,
                       uint32_t size, unsigned depth,
                       struct binary_symbol_spot way, struct ways *w)
{
    enter_member(m, whole, offset, size, depth, &way);
    const bool exact = is_exact(&way, size);
    if (w->found++ == 0 || (exact && w->exact == 0))
        w->best = way;
    w->exact += exact;
}

static bool is_hidden(const struct member *m)
{
    return m->name && strncmp(m->name, "__", 2) == 0;
}

/* Of a union, the only member that is exactly what is asked for, or that has it
 * at all: which one of several is meant is not known. */
static bool enter_record(const Dwarf_Die *record, uint64_t offset,
                         uint32_t size, unsigned depth,
                         struct binary_symbol_spot *spot)
{
    Dwarf_Die copy = *record;
    struct ways w = { .found = 0 };
    struct member m;
    const bool is_union = dwarf_tag(&copy) == DW_TAG_union_type;
    const uint64_t whole = binary_dwarf_size_of(record);
    bool more = first_member(record, &m);
    while (more && !w.closed && (is_union || !w.found)) {
        if (holds(m.at, m.size, offset, size)) {
            w.closed = is_hidden(&m);
            if (!w.closed)
                try_member(&m, whole, offset, size, depth, *spot, &w);
        }
        more = next_member(&m);
    }
    if (w.exact != 1 && w.found != 1)
        return false;
    *spot = w.best;
    return true;
}

/* How many elements in each dimension but the first. */
static unsigned dimensions(const Dwarf_Die *array, uint64_t *count)
{
    Dwarf_Die copy = *array, range;
    unsigned found = 0;
    if (dwarf_child(&copy, &range) != 0)
        return 0;
    do {
        uint64_t n = 0;
        if (dwarf_tag(&range) != DW_TAG_subrange_type || found == 4)
            continue;
        if (!binary_dwarf_number(&range, DW_AT_count, &n) &&
            binary_dwarf_number(&range, DW_AT_upper_bound, &n))
            n++;
        count[found++] = n;
    } while (dwarf_siblingof(&range, &range) == 0);
    return found;
}

static bool enter_array(const Dwarf_Die *array, uint64_t offset, uint32_t size,
                        unsigned depth, struct binary_symbol_spot *spot)
{
    Dwarf_Die copy = *array, element;
    uint64_t count[4];
    const unsigned found = dimensions(array, count);
    if (found == 0 || !binary_dwarf_type_of(&copy, &element))
        return false;
    const uint64_t each = binary_dwarf_size_of(&element);
    if (each == 0 || (size ? size : 1) > each - offset % each)
        return false;
    uint64_t stride = 1;
    for (unsigned i = 1; i < found; i++)
        if (count[i] == 0 || __builtin_mul_overflow(stride, count[i], &stride))
            return false;
    uint64_t index = offset / each;
    for (unsigned i = 0; i < found; i++) {
        add(spot, "", NULL, index / stride);
        index %= stride;
        if (i + 1 < found && count[i + 1])
            stride /= count[i + 1];
    }
    go_down(&element, offset % each, size, depth + 1, spot);
    return true;
}

static void go_down(const Dwarf_Die *type, uint64_t offset, uint32_t size,
                    unsigned depth, struct binary_symbol_spot *spot)
{
    Dwarf_Die plain;
    if (!binary_dwarf_plain_type(type, &plain))
        return;
    if (depth < DWARF_DEPTH && binary_dwarf_is_record(&plain) &&
        enter_record(&plain, offset, size, depth, spot))
        return;
    if (depth < DWARF_DEPTH && dwarf_tag(&plain) == DW_TAG_array_type &&
        enter_array(&plain, offset, size, depth, spot))
        return;
    arrive(type, &plain, offset, spot);
}

void binary_dwarf_descend(const Dwarf_Die *type, uint64_t offset, uint32_t size,
                          struct binary_symbol_spot *spot)
{
    go_down(type, offset, size, 0, spot);
}
