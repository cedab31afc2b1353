/* exports.c - what a shared object defines and uses, by its dynamic symbols. */
#include "exports.h"

#include "assembler/instructions.h"
#include "runtime/common/elf_file.h"
#include <string.h>

static bool has_definition(const struct runtime_elf *f, const char *name)
{
    struct runtime_elf_table table;
    struct runtime_elf_symbol s;
    if (!runtime_elf_table_of(f, SHT_DYNSYM, &table))
        return false;
    for (size_t i = 0; runtime_elf_symbol_at(f, &table, i, &s); i++)
        if (s.defined && strcmp(s.name, name) == 0)
            return true;
    return false;
}

bool binary_exports(const char *path, const char *symbol)
{
    struct runtime_elf f;
    if (!runtime_elf_open(&f, path))
        return false;
    const bool found = has_definition(&f, symbol);
    runtime_elf_close(&f);
    return found;
}

static bool uses_only(const struct runtime_elf *f, const char *allowed)
{
    struct runtime_elf_table table;
    struct runtime_elf_symbol s;
    if (!runtime_elf_table_of(f, SHT_DYNSYM, &table))
        return false;
    for (size_t i = 0; runtime_elf_symbol_at(f, &table, i, &s); i++)
        if (!s.defined && *s.name && !assembler_is_word_of(allowed, s.name))
            return false;
    return true;
}

bool binary_imports_only(const char *path, const char *allowed)
{
    struct runtime_elf f;
    if (!runtime_elf_open(&f, path))
        return false;
    const bool only = uses_only(&f, allowed);
    runtime_elf_close(&f);
    return only;
}

bool binary_is_whole_object(const char *path)
{
    struct runtime_elf f;
    runtime_elf_section last;
    if (!runtime_elf_open(&f, path))
        return false;
    const bool whole = f.header.e_shnum > 0 &&
                       runtime_elf_section_at(&f, f.header.e_shnum - 1u, &last);
    runtime_elf_close(&f);
    return whole;
}
