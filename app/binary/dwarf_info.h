/* dwarf_info.h - what debug_symbols.c and dwarf_*.c share: an object with its debug
 * information.  Of use only where libdw is. */
#ifndef PLUMB_APP_BINARY_DWARF_INFO_H
#define PLUMB_APP_BINARY_DWARF_INFO_H

#if __has_include(<elfutils/libdw.h>)

#include "debug_symbols.h"
#include "elf_symbols.h"
#include <elfutils/libdw.h>
#include <stddef.h>

enum { DWARF_DEPTH = 32 }; /* of nested types and scopes */

/* A variable with a place of its own, or a piece of one that was taken apart,
 * which begins `from` bytes into it; `local`: of each thread. */
struct binary_dwarf_variable {
    uint64_t at, size, from;
    Dwarf_Off type;
    bool local;
    char *name;
};

struct binary_symbols {
    int file;
    Dwarf *dwarf;         /* NULL: there is no debug information */
    Dwarf_CFI *unwinding; /* NULL: there is none */
    struct binary_elf_symbols elf;
    struct binary_dwarf_variable *variable;
    size_t variables, variable_room;
};

/* List variables. */
void binary_dwarf_collect(struct binary_symbols *s);
void binary_dwarf_forget(struct binary_symbols *s);

/* The type that an attribute of `die` names, also by way of the abstract DIE
 * that it is an instance of. */
bool binary_dwarf_type_of(Dwarf_Die *die, Dwarf_Die *type);

/* An attribute that is a number, found in the same way. */
bool binary_dwarf_number(Dwarf_Die *die, unsigned name, uint64_t *value);

/* Without const, volatile, _Atomic and typedefs.  And of a pointer, to what. */
bool binary_dwarf_plain_type(const Dwarf_Die *type, Dwarf_Die *plain);
bool binary_dwarf_points_to(const Dwarf_Die *type, Dwarf_Die *pointee);

/* 0 if it is not known. */
uint64_t binary_dwarf_size_of(const Dwarf_Die *type);
bool binary_dwarf_is_record(const Dwarf_Die *type); /* a plain one */
bool binary_dwarf_has_members(const Dwarf_Die *record);
bool binary_dwarf_has_open_end(const Dwarf_Die *record);

/* Is there one of `part` at that offset of `whole`: itself, a member, a base, an
 * element?  The same type may be in several units: by name and size. */
bool binary_dwarf_contains(const Dwarf_Die *whole, uint64_t offset,
                           const Dwarf_Die *part);

/* Its name, or that of a typedef on the way to it.  The DIE that has it. */
const char *binary_dwarf_type_name(const Dwarf_Die *type, Dwarf_Die *named);

/* Does the declaration come from a header of the system? */
bool binary_dwarf_is_library_file(const char *path);

/* "queue::push": of a function or variable, with its namespaces and class, but
 * no parameters of templates. */
void binary_dwarf_qualified_name(Dwarf_Die *die, char *name, size_t size);

/* The functions and blocks around a place in the code, innermost first, as they
 * lie in it: what is inlined is in what called it.  To be freed; the number. */
int binary_dwarf_scopes_at(Dwarf_Die *unit, uint64_t pc, Dwarf_Die **scope);
bool binary_dwarf_unit_at(const struct binary_symbols *s, uint64_t pc,
                          Dwarf_Die *unit);

/* What is at `offset` in something of that type: adds to spot->name. */
void binary_dwarf_descend(const Dwarf_Die *type, uint64_t offset, uint32_t size,
                          struct binary_symbol_spot *spot);

#endif
#endif
