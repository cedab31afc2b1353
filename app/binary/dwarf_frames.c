/* dwarf_frames.c - the variables of a function on its stack.
 *
 * Where a function keeps them is told as a distance from its frame base, which
 * is mostly where the stack of its caller ends; and where that is, as a distance
 * from a register.  Registers are known as they were when the function began.
 * Variables that are there only at some places of the code are found if the
 * function is at such a place. */
#include "dwarf_info.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- registers ---- */

#if defined(__x86_64__)
enum { FRAME_REGISTER = 6, STACK_REGISTER = 7 };
#elif defined(__aarch64__)
enum { FRAME_REGISTER = 29, STACK_REGISTER = 31 };
#else
enum { FRAME_REGISTER = 32, STACK_REGISTER = 33 }; /* none */
#endif

static bool register_value(const struct binary_symbol_frame *f, uint64_t number,
                           uint64_t *value)
{
    *value = number == FRAME_REGISTER   ? f->frame
             : number == STACK_REGISTER ? f->stack
                                        : 0;
    return *value != 0;
}

/* A register, with or without a distance. */
static bool register_place(const struct binary_symbol_frame *f,
                           const Dwarf_Op *op, uint64_t *at)
{
    const unsigned atom = op->atom;
    uint64_t distance = 0;
    if (atom == DW_OP_bregx) {
        distance = op->number2;
    } else if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31) {
        distance = op->number;
    } else if (atom != DW_OP_regx &&
               (atom < DW_OP_reg0 || atom > DW_OP_reg31)) {
        return false;
    }
    const uint64_t number = atom == DW_OP_bregx || atom == DW_OP_regx
                                ? op->number
                            : atom >= DW_OP_breg0 ? atom - DW_OP_breg0
                                                  : atom - DW_OP_reg0;
    if (!register_value(f, number, at))
        return false;
    *at += distance;
    return true;
}

/* ---- frames ---- */

bool binary_symbols_frame(const struct binary_symbols *s,
                          struct binary_symbol_frame *f)
{
    Dwarf_Frame *frame = NULL;
    Dwarf_Op *op;
    size_t count;
    f->end = 0;
    if (!s->unwinding || f->pc == 0 ||
        dwarf_cfi_addrframe(s->unwinding, f->pc - 1, &frame) != 0)
        return false;
    const bool known = dwarf_frame_cfa(frame, &op, &count) == 0 && count == 1 &&
                       register_place(f, op, &f->end);
    free(frame);
    return known;
}

/* What DW_OP_fbreg counts from. */
static bool frame_base(Dwarf_Die *function, const struct binary_symbol_frame *f,
                       uint64_t pc, uint64_t *base)
{
    Dwarf_Attribute location;
    Dwarf_Op *op;
    size_t count;
    if (!dwarf_attr(function, DW_AT_frame_base, &location) ||
        dwarf_getlocation_addr(&location, pc, &op, &count, 1) != 1 ||
        count != 1)
        return false;
    *base = f->end;
    return op->atom == DW_OP_call_frame_cfa || register_place(f, op, base);
}

/* ---- variables ---- */

struct search {
    const struct binary_symbol_frame *frame;
    uint64_t pc, base, at;
    Dwarf_Die found, type;
    uint64_t start;
};

static bool is_there(struct search *s, Dwarf_Die *variable)
{
    Dwarf_Attribute location;
    Dwarf_Op *op;
    size_t count;
    if (!dwarf_attr(variable, DW_AT_location, &location) ||
        dwarf_getlocation_addr(&location, s->pc, &op, &count, 1) != 1 ||
        count != 1 || !binary_dwarf_type_of(variable, &s->type))
        return false;
    if (op->atom == DW_OP_fbreg)
        s->start = s->base + op->number;
    else if (op->atom < DW_OP_breg0 || op->atom == DW_OP_regx ||
             !register_place(s->frame, op, &s->start))
        return false; /* or it is in a register */
    const uint64_t size = binary_dwarf_size_of(&s->type);
    return s->at >= s->start && s->at - s->start < size;
}

static bool find_in_scope(struct search *s, Dwarf_Die *scope)
{
    if (dwarf_child(scope, &s->found) != 0)
        return false;
    do {
        const int tag = dwarf_tag(&s->found);
        if ((tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) &&
            dwarf_diename(&s->found) && is_there(s, &s->found))
            return true;
    } while (dwarf_siblingof(&s->found, &s->found) == 0);
    return false;
}

/* The scopes around the place, up to the function, whose base counts. */
static bool find_in_function(struct search *s, Dwarf_Die *scope, int count)
{
    int function = 0;
    while (function < count && dwarf_tag(scope + function) != DW_TAG_subprogram)
        function++;
    if (function == count ||
        !frame_base(scope + function, s->frame, s->pc, &s->base))
        return false;
    for (int i = 0; i <= function; i++)
        if (find_in_scope(s, scope + i))
            return true;
    return false;
}

bool binary_symbols_stack_variable(const struct binary_symbols *s,
                                   const struct binary_symbol_frame *f,
                                   uint64_t pc, uint64_t at,
                                   struct binary_symbol_variable *variable)
{
    Dwarf_Die unit, *scope;
    struct search search = { .frame = f, .pc = pc, .at = at };
    if (!binary_dwarf_unit_at(s, pc, &unit))
        return false;
    const int count = binary_dwarf_scopes_at(&unit, pc, &scope);
    const bool found = find_in_function(&search, scope, count);
    free(scope);
    if (!found)
        return false;
    snprintf(variable->name, sizeof variable->name, "%s",
             dwarf_diename(&search.found));
    variable->at = search.start;
    variable->type = dwarf_dieoffset(&search.type);
    return true;
}
