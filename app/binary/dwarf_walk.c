/* dwarf_walk.c - the variables and functions of an object, by walking
 * its debug information.
 *
 * Units are looked at one by one: an index of addresses (.debug_aranges) is
 * written by gcc alone. */
#include "base/memory.h"
#include "dwarf_info.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* Headers of the system, and of what is installed: not whatever is below /usr,
 * where the object library may be, or sources of yours. */
bool binary_dwarf_is_library_file(const char *path)
{
    static const char *const roots[] = { "/usr/", "/opt/" };
    if (!path)
        return false;
    for (unsigned i = 0; i < sizeof roots / sizeof *roots; i++)
        if (strncmp(path, roots[i], strlen(roots[i])) == 0 &&
            strstr(path, "/include/"))
            return true;
    return strncmp(path, "/usr/lib", 8) == 0 || strncmp(path, "/lib", 4) == 0;
}

/* What a definition or an instance was declared as. */
static void go_to_declaration(Dwarf_Die *die)
{
    static const unsigned ways[] = { DW_AT_abstract_origin,
                                     DW_AT_specification };
    for (unsigned i = 0; i < 4; i++) {
        Dwarf_Attribute attribute;
        if (!dwarf_attr(die, ways[i % 2], &attribute) ||
            !dwarf_formref_die(&attribute, die))
            continue;
    }
}

static void add_name(char *name, size_t size, const char *more)
{
    const size_t used = strlen(name);
    snprintf(name + used, size - used, "%s", more);
}

/* push<int> is push; operator< is itself. */
static void add_without_parameters(char *name, size_t size, const char *more)
{
    const char *const open = strchr(more, '<');
    const size_t used = strlen(name);
    if (!open || open == more || strncmp(more, "operator", 8) == 0)
        add_name(name, size, more);
    else
        snprintf(name + used, size - used, "%.*s", (int)(open - more), more);
}

static void add_scope(char *name, size_t size, Dwarf_Die *scope)
{
    const char *const own = dwarf_diename(scope);
    switch (own ? dwarf_tag(scope) : 0) {
    case DW_TAG_namespace:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
        add_without_parameters(name, size, own);
        add_name(name, size, "::");
        return;
    case DW_TAG_subprogram: /* of a static variable in a function */
        add_without_parameters(name, size, own);
        add_name(name, size, ".");
        return;
    default:
        return;
    }
}

void binary_dwarf_qualified_name(Dwarf_Die *die, char *name, size_t size)
{
    Dwarf_Die at = *die, *scope = NULL;
    const char *const own = dwarf_diename(die);
    name[0] = '\0';
    if (!own)
        return;
    go_to_declaration(&at);
    const int count = dwarf_getscopes_die(&at, &scope);
    for (int i = count - 1; i > 0; i--)
        add_scope(name, size, scope + i);
    if (count > 0)
        free(scope);
    add_without_parameters(name, size, own);
}

/* ---- scopes of code ---- */

bool binary_dwarf_unit_at(const struct binary_symbols *s, uint64_t pc,
                          Dwarf_Die *unit)
{
    Dwarf_CU *cu = NULL;
    uint8_t type;
    Dwarf_Half version;
    if (!s->dwarf)
        return false;
    while (dwarf_get_units(s->dwarf, cu, &cu, &version, &type, unit, NULL) == 0)
        if (dwarf_haspc(unit, pc) > 0)
            return true;
    return false;
}

int binary_dwarf_scopes_at(Dwarf_Die *unit, uint64_t pc, Dwarf_Die **scope)
{
    Dwarf_Die *lexical = NULL;
    *scope = NULL;
    /* Around what is inlined it puts what is around its definition. */
    if (dwarf_getscopes(unit, pc, &lexical) <= 0)
        return 0;
    const int count = dwarf_getscopes_die(&lexical[0], scope);
    free(lexical);
    return count > 0 ? count : 0;
}

/* ---- variables ---- */

static bool is_constant(const Dwarf_Op *op)
{
    return op->atom == DW_OP_const8u || op->atom == DW_OP_const4u ||
           op->atom == DW_OP_addr;
}

static bool is_address(Dwarf_Attribute *location, Dwarf_Op *op, uint64_t *at)
{
    Dwarf_Attribute attribute;
    Dwarf_Addr address;
    *at = op->number;
    if (op->atom == DW_OP_addr)
        return true;
    if ((op->atom != DW_OP_addrx && op->atom != DW_OP_GNU_addr_index) ||
        dwarf_getlocation_attr(location, op, &attribute) != 0 ||
        dwarf_formaddr(&attribute, &address) != 0)
        return false;
    *at = address;
    return true;
}

/* clang may put what was in a function into no function, when that is inlined
 * everywhere; the symbol knows: "counted.counter". */
static const char *name_in_function(const struct binary_symbols *s,
                                    const struct binary_dwarf_variable *v,
                                    const char *name)
{
    const struct binary_elf_symbol *const e =
        v->local ? NULL : binary_elf_symbols_find(&s->elf, ELF_DATA, v->at);
    const size_t length = strlen(name), whole = e ? strlen(e->name) : 0;
    if (whole < length + 2 || e->name[whole - length - 1] != '.' ||
        strcmp(e->name + whole - length, name) != 0)
        return name;
    return e->name;
}

static void keep_variable(struct binary_symbols *s,
                          struct binary_dwarf_variable v, const char *name)
{
    if (!PLUMB_GROW(NULL, s->variable, s->variable_room, s->variables + 1))
        return;
    v.name = strdup(name_in_function(s, &v, name));
    if (v.name)
        s->variable[s->variables++] = v;
}

/* It is at one address, or in every thread's block of locals, or in pieces:
 * address, piece, address, piece, ... */
static void keep_places(struct binary_symbols *s, Dwarf_Attribute *location,
                        struct binary_dwarf_variable v, const char *name)
{
    Dwarf_Op *op;
    size_t count;
    if (dwarf_getlocation(location, &op, &count) != 0 || count == 0)
        return;
    if (count == 2 && is_constant(op) &&
        (op[1].atom == DW_OP_GNU_push_tls_address ||
         op[1].atom == DW_OP_form_tls_address)) {
        v.local = true;
        v.at = op[0].number;
        keep_variable(s, v, name);
    } else if (count == 1 && is_address(location, op, &v.at))
        keep_variable(s, v, name);
    for (size_t i = 0; i + 1 < count && op[i + 1].atom == DW_OP_piece; i += 2) {
        v.size = op[i + 1].number;
        if (is_address(location, op + i, &v.at))
            keep_variable(s, v, name);
        v.from += v.size;
    }
}

static void read_variable(struct binary_symbols *s, Dwarf_Die *die)
{
    Dwarf_Attribute location;
    Dwarf_Die type;
    char name[SYMBOL_NAME];
    if (!dwarf_attr(die, DW_AT_location, &location) ||
        !binary_dwarf_type_of(die, &type))
        return;
    binary_dwarf_qualified_name(die, name, sizeof name);
    const struct binary_dwarf_variable v = { .type = dwarf_dieoffset(&type),
                                             .size =
                                                 binary_dwarf_size_of(&type) };
    if (name[0])
        keep_places(s, &location, v, name);
}

/* ---- all of them ---- */

static void visit(struct binary_symbols *s, Dwarf_Die *die, unsigned depth)
{
    do {
        Dwarf_Die child;
        const int tag = dwarf_tag(die);
        if (tag == DW_TAG_variable)
            read_variable(s, die);
        if (depth < DWARF_DEPTH && tag != DW_TAG_inlined_subroutine &&
            tag != DW_TAG_variable && dwarf_child(die, &child) == 0)
            visit(s, &child, depth + 1);
    } while (dwarf_siblingof(die, die) == 0);
}

void binary_dwarf_collect(struct binary_symbols *s)
{
    Dwarf_CU *cu = NULL;
    uint8_t type;
    Dwarf_Half version;
    Dwarf_Die unit, child;
    while (dwarf_get_units(s->dwarf, cu, &cu, &version, &type, &unit, NULL) ==
           0)
        if (type == DW_UT_compile && dwarf_child(&unit, &child) == 0)
            visit(s, &child, 0);
}

void binary_dwarf_forget(struct binary_symbols *s)
{
    for (size_t i = 0; i < s->variables; i++)
        free(s->variable[i].name);
    PLUMB_RELEASE(NULL, s->variable, s->variable_room);
}
