/* exports.c - the symbols of a shared object, read from the file.
 *
 * Loading it would run its constructors. */
#include "exports.h"

#include "elf_sections.h"
#include <elf.h>
#include <link.h>
#include <stdint.h>

typedef ElfW(Sym) symbol_entry;

/* Calls visit() for every symbol of every table, until one returns true. */
struct visit {
    bool (*visit)(const struct visit *v, const struct console_input *f,
                  const binary_elf_section *texts, const symbol_entry *s);
    const char *name;           /* looked for */
    const char *const *allowed; /* ... or all there may be */
};

static bool any_in_table(const struct visit *v, const struct console_input *f,
                         const binary_elf_section *table,
                         const binary_elf_section *texts)
{
    symbol_entry s;
    for (uint64_t at = 0; table->sh_size - at >= sizeof s; at += sizeof s) {
        if (!binary_elf_read(f, table->sh_offset + at, &s, sizeof s))
            return false;
        if (v->visit(v, f, texts, &s))
            return true;
    }
    return false;
}

/* `tables`: how many there were. */
static bool any_symbol(const struct visit *v, const struct console_input *f,
                       unsigned *tables)
{
    binary_elf_header h;
    binary_elf_section table, texts;
    *tables = 0;
    if (!binary_elf_read_header(f, &h))
        return false;
    for (uint32_t i = 0; binary_elf_read_section(f, &h, i, &table); i++) {
        if (table.sh_type != SHT_DYNSYM ||
            !binary_elf_read_section(f, &h, table.sh_link, &texts))
            continue;
        ++*tables;
        if (any_in_table(v, f, &table, &texts))
            return true;
    }
    return false;
}

static bool any_in_file(const struct visit *v, const char *path,
                        unsigned *tables)
{
    struct plumb_error err;
    struct console_input in;
    *tables = 0;
    if (console_input_open(&in, path, NULL, &err) != PLUMB_OK)
        return false;
    const bool found = any_symbol(v, &in, tables);
    console_input_close(&in);
    return found;
}

static bool is_defined(const struct visit *v, const struct console_input *f,
                       const binary_elf_section *texts, const symbol_entry *s)
{
    return s->st_shndx != SHN_UNDEF &&
           binary_elf_is_text(f, texts, s->st_name, v->name);
}

bool binary_exports(const char *path, const char *symbol)
{
    const struct visit v = { .visit = is_defined, .name = symbol };
    unsigned tables;
    return any_in_file(&v, path, &tables);
}

static bool is_foreign(const struct visit *v, const struct console_input *f,
                       const binary_elf_section *texts, const symbol_entry *s)
{
    if (s->st_shndx != SHN_UNDEF || s->st_name == 0)
        return false;
    for (const char *const *name = v->allowed; *name; name++)
        if (binary_elf_is_text(f, texts, s->st_name, *name))
            return false;
    return true;
}

bool binary_imports_only(const char *path, const char *const *allowed)
{
    const struct visit v = { .visit = is_foreign, .allowed = allowed };
    unsigned tables;
    return !any_in_file(&v, path, &tables) && tables > 0;
}

bool binary_is_whole_object(const char *path)
{
    struct plumb_error err;
    struct console_input in;
    binary_elf_header h;
    binary_elf_section last;
    if (console_input_open(&in, path, NULL, &err) != PLUMB_OK)
        return false;
    const bool whole = binary_elf_read_header(&in, &h) && h.e_shnum > 0 &&
                       binary_elf_read_section(&in, &h, h.e_shnum - 1u, &last);
    console_input_close(&in);
    return whole;
}
