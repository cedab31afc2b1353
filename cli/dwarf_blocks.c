/* dwarf_blocks.c - what is a block of the heap?
 *
 * Nobody says; but where it was allocated there is mostly a pointer it is for:
 *
 *     struct node *n = malloc(sizeof *n);
 *
 * So of the pointers in reach there, those to something that the size fits, and
 * of these the one that fits best: a variable declared on that very line, then
 * the nearest one above.  Else the only type of the object of just that size.
 * If there are several it is none: a wrong name is worse than none. */
#include "dwarf_info.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

struct guess {
    uint64_t size;
    int line; /* of the allocation; 0: not known */
    Dwarf_Off type;
    unsigned score;
};

enum { EXACT = 1 << 20, OPEN_END = 1 << 19, SEVERAL = 1 << 18 };

static unsigned fit(const Dwarf_Die *record, uint64_t size)
{
    const uint64_t each = dwarf_size_of(record);
    if (each == 0 || each > size)
        return 0;
    if (each == size)
        return EXACT;
    if (dwarf_has_open_end(record))
        return OPEN_END;
    return size % each == 0 ? SEVERAL : 0;
}

bool symbols_fits(const struct symbols *s, symbol_type type, uint64_t size)
{
    Dwarf_Die die, plain;
    return s->dwarf && dwarf_offdie(s->dwarf, type, &die) &&
           dwarf_plain_type(&die, &plain) && dwarf_is_record(&plain) &&
           fit(&plain, size) > 0;
}

/* A nearer declaration is a better one. */
static unsigned nearness(const struct guess *g, Dwarf_Die *declared)
{
    int line;
    if (g->line == 0 || dwarf_decl_line(declared, &line) != 0 || line > g->line)
        return 0;
    return g->line - line < 10000 ? 10000u - (unsigned)(g->line - line) : 1;
}

static void consider(struct guess *g, Dwarf_Die *declared,
                     const Dwarf_Die *pointee)
{
    Dwarf_Die plain, named;
    if (!dwarf_plain_type(pointee, &plain) || !dwarf_is_record(&plain) ||
        !dwarf_type_name(pointee, &named))
        return;
    const unsigned fits = fit(&plain, g->size);
    const unsigned score = fits ? fits + nearness(g, declared) : 0;
    if (score <= g->score)
        return;
    g->score = score;
    g->type = dwarf_dieoffset(&named);
}

static void consider_variables(struct guess *g, const Dwarf_Die *scope)
{
    Dwarf_Die parent = *scope, child, type, pointee;
    if (dwarf_child(&parent, &child) != 0)
        return;
    do {
        const int tag = dwarf_tag(&child);
        if ((tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) &&
            dwarf_type_of(&child, &type) && dwarf_points_to(&type, &pointee))
            consider(g, &child, &pointee);
    } while (dwarf_siblingof(&child, &child) == 0);
}

static void consider_scope(struct guess *g, Dwarf_Die *scope)
{
    Dwarf_Attribute attribute;
    Dwarf_Die origin, type, pointee;
    consider_variables(g, scope);
    if (dwarf_attr(scope, DW_AT_abstract_origin, &attribute) &&
        dwarf_formref_die(&attribute, &origin))
        consider_variables(g, &origin);
    if (dwarf_type_of(scope, &type) && dwarf_points_to(&type, &pointee))
        consider(g, scope, &pointee);
}

static int line_at(Dwarf_Die *unit, uint64_t pc)
{
    Dwarf_Line *const line = dwarf_getsrc_die(unit, pc);
    int number;
    return line && dwarf_lineno(line, &number) == 0 ? number : 0;
}

static bool is_function(Dwarf_Die *scope)
{
    const int tag = dwarf_tag(scope);
    return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

/* Functions around the place, innermost first, until one has what fits. */
static Dwarf_Off guess_at(const struct symbols *s, uint64_t pc, uint64_t size)
{
    Dwarf_Die unit, *scope;
    struct guess g = { .size = size };
    if (pc == 0 || !dwarf_unit_at(s, pc - 1, &unit))
        return 0;
    g.line = line_at(&unit, pc - 1);
    const int count = dwarf_scopes_at(&unit, pc - 1, &scope);
    for (int i = 0; i < count && dwarf_tag(scope + i) != DW_TAG_compile_unit;
         i++) {
        consider_scope(&g, scope + i);
        if (is_function(scope + i) && g.type)
            break;
        uint64_t line;
        Dwarf_Attribute attribute;
        if (dwarf_attr(scope + i, DW_AT_call_line, &attribute) &&
            dwarf_formudata(&attribute, &line) == 0)
            g.line = (int)line;
    }
    free(scope);
    return g.type;
}

/* The same type may be in several units. */
static bool same_type(const struct symbols *s, Dwarf_Off a, Dwarf_Off b)
{
    char name[2][SYMBOL_NAME];
    return symbols_type(s, a, name[0], NULL) &&
           symbols_type(s, b, name[1], NULL) && strcmp(name[0], name[1]) == 0;
}

/* Compilers describe what va_list is made of; nobody allocates that. */
static bool is_of_the_compiler(const struct symbols *s, Dwarf_Off type)
{
    char name[SYMBOL_NAME];
    return symbols_type(s, type, name, NULL) && strstr(name, "__va_list");
}

static Dwarf_Off only_one_of(const struct symbols *s, uint64_t size)
{
    Dwarf_Off found = 0;
    for (size_t i = 0; i < s->records; i++) {
        if (s->record[i].size != size ||
            is_of_the_compiler(s, s->record[i].type))
            continue;
        if (found && !same_type(s, found, s->record[i].type))
            return 0;
        found = found ? found : s->record[i].type;
    }
    return found;
}

symbol_type symbols_block(const struct symbols *s, const uint64_t *pc,
                          unsigned count, uint64_t size)
{
    Dwarf_Off type = 0;
    if (!s->dwarf || size == 0)
        return 0;
    for (unsigned i = 0; i < count && type == 0; i++)
        type = guess_at(s, pc[i], size);
    return type ? type : only_one_of(s, size);
}
