/* elf_symbols.h - functions and variables by the symbol table of a file. */
#ifndef PLUMB_CLI_ELF_SYMBOLS_H
#define PLUMB_CLI_ELF_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum elf_symbol_kind { ELF_CODE, ELF_DATA, ELF_LOCAL };

struct elf_symbol {
    uint64_t at, size;
    enum elf_symbol_kind kind; /* LOCAL: of each thread */
    char *name;
};

struct elf_symbols {
    struct elf_symbol *symbol; /* sorted by kind, then by `at` */
    size_t count;
};

/* False if it is no shared object that can be read, or memory is used up. */
bool elf_symbols_read(struct elf_symbols *e, const char *path);
void elf_symbols_release(struct elf_symbols *e);

/* The one that `at` is in; NULL if there is none. */
const struct elf_symbol *elf_symbols_find(const struct elf_symbols *e,
                                          enum elf_symbol_kind kind,
                                          uint64_t at);

#endif
