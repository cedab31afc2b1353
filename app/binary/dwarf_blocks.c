/* dwarf_blocks.c - what is a block of the heap, by where it was allocated?
 *
 *     struct node *n = malloc(sizeof *n);
 *
 * Where malloc() returns to, its result is in the register for results, and the
 * debug information says which variable is in which register there.  So n has
 * the result: the block begins with a node.  A pointer that is merely in reach
 * says nothing: it may be for another block of the same size.  In code that was
 * not optimised variables are never in registers, and nothing is known. */
#include "dwarf_info.h"

#include <dwarf.h>
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- code ---- */

typedef ElfW(Ehdr) header;
typedef ElfW(Phdr) segment;

static bool read_at(const struct binary_symbols *s, uint64_t at, void *to,
                    size_t size)
{
    return at <= INT64_MAX &&
           pread(s->file, to, size, (off_t)at) == (ssize_t)size;
}

static bool read_code(const struct binary_symbols *s, uint64_t at, void *to,
                      size_t size)
{
    header h;
    if (!read_at(s, 0, &h, sizeof h) || h.e_phentsize != sizeof(segment))
        return false;
    for (unsigned i = 0; i < h.e_phnum; i++) {
        segment p;
        if (read_at(s, h.e_phoff + i * sizeof p, &p, sizeof p) &&
            p.p_type == PT_LOAD && at >= p.p_vaddr &&
            at - p.p_vaddr < p.p_filesz &&
            size <= p.p_filesz - (at - p.p_vaddr))
            return read_at(s, p.p_offset + (at - p.p_vaddr), to, size);
    }
    return false;
}

/* ---- registers ----
 *
 * As debug information numbers them; results are in number 0. */

enum { RESULT = 0, COPIES = 4 };

#if defined(__x86_64__)
enum { COPY_SIZE = 3 };

/* mov %rax,%rbx: 48 89 c3. */
static bool is_copy(const unsigned char code[COPY_SIZE], unsigned *to)
{
    static const unsigned char number[8] = { 0, 2, 1, 3, 7, 6, 4, 5 };
    if ((code[0] & 0xfe) != 0x48 || code[1] != 0x89 || (code[2] & 0xf8) != 0xc0)
        return false;
    *to = code[0] & 1 ? 8 + (code[2] & 7u) : number[code[2] & 7];
    return true;
}
#elif defined(__aarch64__)
enum { COPY_SIZE = 4 };

/* mov x19, x0: aa0003f3. */
static bool is_copy(const unsigned char code[COPY_SIZE], unsigned *to)
{
    uint32_t word;
    memcpy(&word, code, sizeof word);
    *to = word & 31;
    return (word & ~UINT32_C(31)) == 0xaa0003e0;
}
#else
enum { COPY_SIZE = 1 };

static bool is_copy(const unsigned char code[COPY_SIZE], unsigned *to)
{
    (void)code, (void)to;
    return false;
}
#endif

/* Where the result is: behind the call, and behind each copy of it that
 * follows at once. */
struct result {
    uint64_t pc[COPIES + 1];
    uint32_t registers[COPIES + 1]; /* bit r: it is in register r */
    unsigned count;
};

static struct result result_after(const struct binary_symbols *s, uint64_t pc)
{
    struct result r = { .pc = { pc }, .registers = { 1u << RESULT } };
    unsigned char code[COPY_SIZE];
    unsigned to;
    r.count = 1;
    while (r.count <= COPIES && read_code(s, pc, code, sizeof code) &&
           is_copy(code, &to)) {
        pc += COPY_SIZE;
        r.pc[r.count] = pc;
        r.registers[r.count] = r.registers[r.count - 1] | 1u << to;
        r.count++;
    }
    return r;
}

/* ---- variables ---- */

static bool is_in(const Dwarf_Op *op, size_t count, uint32_t registers)
{
    const uint64_t number =
        op->atom == DW_OP_regx ? op->number : (uint64_t)op->atom - DW_OP_reg0;
    return count == 1 &&
           (op->atom == DW_OP_regx ||
            (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)) &&
           number < 32 && (registers >> number & 1);
}

static bool has_result(Dwarf_Die *variable, const struct result *r)
{
    Dwarf_Attribute location;
    if (!dwarf_attr(variable, DW_AT_location, &location))
        return false;
    for (unsigned i = 0; i < r->count; i++) {
        Dwarf_Op *op;
        size_t count;
        if (dwarf_getlocation_addr(&location, r->pc[i], &op, &count, 1) == 1 &&
            count > 0 && is_in(op, count, r->registers[i]))
            return true;
    }
    return false;
}

/* ---- what they point to ---- */

struct guess {
    const struct binary_symbols *s;
    uint64_t size;
    struct result result;
    Dwarf_Off type;
    bool doubtful;
};

/* Of two types, the one that begins with the other; else neither. */
static void keep(struct guess *g, Dwarf_Off type)
{
    if (!g->type || binary_symbols_contains(g->s, type, 0, g->type))
        g->type = type;
    else if (!binary_symbols_contains(g->s, g->type, 0, type))
        g->doubtful = true;
}

static void consider(struct guess *g, Dwarf_Die *variable)
{
    Dwarf_Die type, pointee, named;
    struct binary_symbol_record record;
    if (binary_dwarf_type_of(variable, &type) &&
        binary_dwarf_points_to(&type, &pointee) &&
        binary_dwarf_type_name(&pointee, &named) &&
        binary_symbols_record(g->s, dwarf_dieoffset(&named), &record) &&
        record.size <= g->size && has_result(variable, &g->result))
        keep(g, dwarf_dieoffset(&named));
}

static void consider_scope(struct guess *g, Dwarf_Die *scope)
{
    Dwarf_Die child;
    if (dwarf_child(scope, &child) != 0)
        return;
    do {
        const int tag = dwarf_tag(&child);
        if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
            consider(g, &child);
    } while (dwarf_siblingof(&child, &child) == 0);
}

static void consider_place(struct guess *g, Dwarf_Die *unit, uint64_t pc)
{
    Dwarf_Die *scope;
    const int count = binary_dwarf_scopes_at(unit, pc, &scope);
    for (int i = 0; i < count && dwarf_tag(scope + i) != DW_TAG_compile_unit;
         i++)
        consider_scope(g, scope + i);
    free(scope);
}

/* What is inlined may begin, or end, at the very place. */
binary_symbol_type binary_symbols_block(const struct binary_symbols *s,
                                        uint64_t pc, uint64_t size)
{
    Dwarf_Die unit;
    if (pc == 0 || size == 0 || !binary_dwarf_unit_at(s, pc - 1, &unit))
        return 0;
    struct guess g = { .s = s, .size = size, .result = result_after(s, pc) };
    consider_place(&g, &unit, pc - 1);
    consider_place(&g, &unit, pc);
    return g.doubtful ? 0 : g.type;
}
