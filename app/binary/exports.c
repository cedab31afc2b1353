/* exports.c - what a shared object defines and uses, by its dynamic symbols. */
#include "exports.h"

#include "assembler/instructions.h"
#include "runtime/common/elf_file.h"
#include <string.h>

typedef bool is_wanted(const struct runtime_elf_symbol *s, const char *names);

/* Is there such a dynamic symbol?  False if that cannot be told. */
static bool look(const char *path, is_wanted *is, const char *names,
                 bool *found)
{
    struct runtime_elf f;
    struct runtime_elf_table table;
    struct runtime_elf_symbol s;
    *found = false;
    if (!runtime_elf_open(&f, path))
        return false;
    const bool known = runtime_elf_table_of(&f, SHT_DYNSYM, &table);
    for (size_t i = 0;
         known && !*found && runtime_elf_symbol_at(&f, &table, i, &s); i++)
        *found = is(&s, names);
    runtime_elf_close(&f);
    return known;
}

static bool is_definition(const struct runtime_elf_symbol *s, const char *name)
{
    return s->defined && strcmp(s->name, name) == 0;
}

bool binary_exports(const char *path, const char *symbol)
{
    bool found;
    return look(path, is_definition, symbol, &found) && found;
}

static bool is_other(const struct runtime_elf_symbol *s, const char *allowed)
{
    return !s->defined && *s->name && !assembler_is_word_of(allowed, s->name);
}

bool binary_imports_only(const char *path, const char *allowed)
{
    bool found;
    return look(path, is_other, allowed, &found) && !found;
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
