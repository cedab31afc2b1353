/* debug_symbols.c - names for the offsets of a shared object, by its debug
 * information. */
#include "debug_symbols.h"

#include "dwarf_info.h"
#include <dwarf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct binary_symbols *binary_symbols_open(const char *path)
{
    struct binary_symbols *const s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->file = -1;
    if (!binary_elf_symbols_read(&s->elf, path)) {
        binary_symbols_close(s);
        return NULL;
    }
    s->file = open(path, O_RDONLY | O_CLOEXEC);
    s->dwarf = s->file < 0 ? NULL : dwarf_begin(s->file, DWARF_C_READ);
    if (s->dwarf) {
        binary_dwarf_collect(s);
        s->unwinding = dwarf_getcfi_elf(dwarf_getelf(s->dwarf));
    }
    return s;
}

void binary_symbols_close(struct binary_symbols *s)
{
    if (!s)
        return;
    binary_dwarf_forget(s);
    if (s->unwinding)
        dwarf_cfi_end(s->unwinding);
    if (s->dwarf)
        dwarf_end(s->dwarf);
    if (s->file >= 0)
        close(s->file);
    binary_elf_symbols_release(&s->elf);
    free(s);
}

/* ---- code ---- */

/* The rest of a path in a directory, whose name has that length; or NULL. */
static const char *inside(const char *path, const char *directory,
                          size_t length)
{
    return length && strncmp(path, directory, length) == 0 &&
                   path[length] == '/'
               ? path + length + 1
               : NULL;
}

/* From where the compiler ran, or from where the source is that it compiled:
 * whichever is shorter. */
static const char *shorter(Dwarf_Die *unit, const char *path)
{
    Dwarf_Attribute attribute;
    const char *const here =
        dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
    const char *const source = dwarf_diename(unit);
    const char *const slash = source ? strrchr(source, '/') : NULL;
    const char *rest = inside(path, here, here ? strlen(here) : 0);
    if (!rest)
        rest = path;
    const char *const beside = slash ? inside(*source == '/' ? path : rest,
                                              source, (size_t)(slash - source))
                                     : NULL;
    return beside && strlen(beside) < strlen(rest) ? beside : rest;
}

static void set_absolute(Dwarf_Die *unit, const char *path,
                         struct binary_symbol_place *place)
{
    Dwarf_Attribute attribute;
    const char *const here =
        dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
    const bool whole = path[0] == '/';
    const int size =
        snprintf(place->absolute, sizeof place->absolute, "%s%s%s",
                 whole || !here ? "" : here, whole || !here ? "" : "/", path);
    if (size >= (int)sizeof place->absolute || place->absolute[0] != '/')
        place->absolute[0] = '\0';
}

static void set_file(Dwarf_Die *unit, const char *path,
                     struct binary_symbol_place *place)
{
    set_absolute(unit, path, place);
    const char *const slash = strrchr(path, '/');
    place->library = binary_dwarf_is_library_file(path);
    snprintf(place->file, sizeof place->file, "%s", slash ? slash + 1 : path);
    snprintf(place->path, sizeof place->path, "%s", shorter(unit, path));
}

static void set_line(Dwarf_Die *unit, uint64_t pc,
                     struct binary_symbol_place *place)
{
    Dwarf_Line *const line = dwarf_getsrc_die(unit, pc);
    const char *const path = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
    int number;
    if (!path || dwarf_lineno(line, &number) != 0 || number <= 0)
        return;
    set_file(unit, path, place);
    place->line = (unsigned)number;
}

/* Where what is inlined here was called. */
static bool set_call(Dwarf_Die *unit, Dwarf_Die *scope,
                     struct binary_symbol_place *place)
{
    uint64_t file, line;
    Dwarf_Files *files;
    size_t count;
    if (!binary_dwarf_number(scope, DW_AT_call_file, &file) ||
        !binary_dwarf_number(scope, DW_AT_call_line, &line) ||
        line > UINT32_MAX || dwarf_getsrcfiles(unit, &files, &count) != 0 ||
        file >= count)
        return false;
    const char *const path = dwarf_filesrc(files, file, NULL, NULL);
    if (!path)
        return false;
    set_file(unit, path, place);
    place->line = (unsigned)line;
    return true;
}

static bool is_function(Dwarf_Die *scope)
{
    const int tag = dwarf_tag(scope);
    return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

static void set_functions(Dwarf_Die *unit, Dwarf_Die *scope, int count,
                          struct binary_symbol_place *place)
{
    for (int i = 0; i < count; i++) {
        if (!is_function(scope + i))
            continue;
        char *const name = place->function[0] ? place->caller : place->function;
        const bool inlined = dwarf_tag(scope + i) != DW_TAG_subprogram;
        const bool ours = place->line && !place->library;
        if (!inlined || ours || !set_call(unit, scope + i, place))
            binary_dwarf_qualified_name(scope + i, name, SYMBOL_NAME);
        if (!inlined || name == place->caller)
            return;
    }
}

bool binary_symbols_place(const struct binary_symbols *s, uint64_t offset,
                          struct binary_symbol_place *place)
{
    Dwarf_Die unit, *scope;
    *place = (struct binary_symbol_place){ 0 };
    if (!binary_dwarf_unit_at(s, offset, &unit))
        return binary_elf_symbols_place(&s->elf, offset, place);
    set_line(&unit, offset, place);
    const int count = binary_dwarf_scopes_at(&unit, offset, &scope);
    set_functions(&unit, scope, count, place);
    free(scope);
    return place->line || place->function[0] ||
           binary_elf_symbols_place(&s->elf, offset, place);
}

unsigned binary_symbols_places(const struct binary_symbols *s, uint64_t offset,
                               struct binary_symbol_place *place, unsigned room)
{
    Dwarf_Die unit, *scope;
    unsigned found = 0;
    if (room == 0 || !binary_dwarf_unit_at(s, offset, &unit))
        return room && binary_symbols_place(s, offset, place);
    const int count = binary_dwarf_scopes_at(&unit, offset, &scope);
    place[0] = (struct binary_symbol_place){ 0 };
    set_line(&unit, offset, place);
    for (int i = 0; i < count; i++) {
        if (!is_function(scope + i))
            continue;
        binary_dwarf_qualified_name(scope + i, place[found].function,
                                    SYMBOL_NAME);
        if (dwarf_tag(scope + i) == DW_TAG_subprogram || ++found == room)
            break;
        place[found] = (struct binary_symbol_place){ 0 };
        set_call(&unit, scope + i, place + found);
    }
    free(scope);
    return found < room ? found + 1 : room;
}

/* ---- data ---- */

static bool find_variable(const struct binary_symbols *s, bool local,
                          uint64_t offset, uint32_t size,
                          struct binary_symbol_spot *spot)
{
    *spot = (struct binary_symbol_spot){ 0 };
    for (size_t i = 0; i < s->variables; i++) {
        const struct binary_dwarf_variable *const v = s->variable + i;
        Dwarf_Die type;
        if (v->local != local || offset < v->at ||
            offset - v->at >= (v->size ? v->size : 1) ||
            !dwarf_offdie(s->dwarf, v->type, &type))
            continue;
        snprintf(spot->name, sizeof spot->name, "%s", v->name);
        binary_dwarf_descend(&type, offset - v->at + v->from, size, spot);
        return true;
    }
    return binary_elf_symbols_spot(&s->elf, local ? ELF_LOCAL : ELF_DATA,
                                   offset, spot);
}

bool binary_symbols_variable(const struct binary_symbols *s, uint64_t offset,
                             uint32_t size, struct binary_symbol_spot *spot)
{
    return find_variable(s, false, offset, size, spot);
}

bool binary_symbols_thread_local(const struct binary_symbols *s,
                                 uint64_t offset, uint32_t size,
                                 struct binary_symbol_spot *spot)
{
    return find_variable(s, true, offset, size, spot);
}

static bool type_at(const struct binary_symbols *s, binary_symbol_type type,
                    Dwarf_Die *die)
{
    return s->dwarf && type != 0 && dwarf_offdie(s->dwarf, type, die);
}

bool binary_symbols_inside(const struct binary_symbols *s,
                           binary_symbol_type type, uint64_t offset,
                           uint32_t size, struct binary_symbol_spot *spot)
{
    Dwarf_Die die, plain;
    *spot = (struct binary_symbol_spot){ 0 };
    if (!type_at(s, type, &die))
        return false;
    const uint64_t whole = binary_dwarf_size_of(&die);
    if (whole && offset >= whole &&
        (!binary_dwarf_plain_type(&die, &plain) ||
         !binary_dwarf_has_open_end(&plain)))
        return false;
    binary_dwarf_descend(&die, offset, size, spot);
    return true;
}

bool binary_symbols_record(const struct binary_symbols *s,
                           binary_symbol_type type,
                           struct binary_symbol_record *record)
{
    Dwarf_Die die, plain;
    if (!type_at(s, type, &die) || !binary_dwarf_plain_type(&die, &plain) ||
        !binary_dwarf_is_record(&plain) || !binary_dwarf_has_members(&plain))
        return false;
    record->size = binary_dwarf_size_of(&plain);
    record->open_end = binary_dwarf_has_open_end(&plain);
    return record->size > 0;
}

bool binary_symbols_contains(const struct binary_symbols *s,
                             binary_symbol_type whole, uint64_t offset,
                             binary_symbol_type part)
{
    Dwarf_Die die[2];
    return type_at(s, whole, &die[0]) && type_at(s, part, &die[1]) &&
           binary_dwarf_contains(&die[0], offset, &die[1]);
}

bool binary_symbols_type(const struct binary_symbols *s,
                         binary_symbol_type type, char name[SYMBOL_NAME],
                         uint64_t *size)
{
    Dwarf_Die die, named;
    if (!type_at(s, type, &die))
        return false;
    const char *const text = binary_dwarf_type_name(&die, &named);
    if (size)
        *size = binary_dwarf_size_of(&die);
    if (!text)
        return false;
    snprintf(name, SYMBOL_NAME, "%.*s", (int)strcspn(text, "<"), text);
    return name[0] != '\0';
}

bool binary_symbols_enumerator(const struct binary_symbols *s,
                               binary_symbol_type type, int64_t value,
                               char name[SYMBOL_NAME])
{
    Dwarf_Die die, plain, child;
    if (!type_at(s, type, &die) || !binary_dwarf_plain_type(&die, &plain) ||
        dwarf_tag(&plain) != DW_TAG_enumeration_type ||
        dwarf_child(&plain, &child) != 0)
        return false;
    do {
        Dwarf_Attribute attribute;
        Dwarf_Sword number;
        const char *const text = dwarf_diename(&child);
        if (text && dwarf_attr(&child, DW_AT_const_value, &attribute) &&
            dwarf_formsdata(&attribute, &number) == 0 && number == value) {
            snprintf(name, SYMBOL_NAME, "%s", text);
            return true;
        }
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}
