/* elf_symbols.h - functions and variables by the symbol table of a file. */
#ifndef PLUMB_APP_BINARY_ELF_SYMBOLS_H
#define PLUMB_APP_BINARY_ELF_SYMBOLS_H

#include "debug_symbols.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum binary_elf_symbol_kind { ELF_CODE, ELF_DATA, ELF_LOCAL };

struct binary_elf_symbol {
    uint64_t at, size;
    enum binary_elf_symbol_kind kind; /* LOCAL: of each thread */
    char *name;
};

struct binary_elf_symbols {
    struct binary_elf_symbol *symbol; /* sorted by kind, then by `at` */
    size_t count;
};

/* False if it is no shared object that can be read, or memory is used up. */
bool binary_elf_symbols_read(struct binary_elf_symbols *e, const char *path);
void binary_elf_symbols_release(struct binary_elf_symbols *e);

/* The one that `at` is in; NULL if there is none. */
const struct binary_elf_symbol *binary_elf_symbols_find(
    const struct binary_elf_symbols *e, enum binary_elf_symbol_kind kind,
    uint64_t at);

/* The function, or the variable, that `at` is in; false if there is none.  The
 * rest of what is known of it is not in the table. */
bool binary_elf_symbols_place(const struct binary_elf_symbols *e, uint64_t at,
                              struct binary_symbol_place *place);
bool binary_elf_symbols_spot(const struct binary_elf_symbols *e,
                             enum binary_elf_symbol_kind kind, uint64_t at,
                             struct binary_symbol_spot *spot);

#endif
