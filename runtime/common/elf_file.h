/* elf_file.h - the sections and symbols of an ELF file, read from the file.
 *
 * Loading it would run its constructors.  Nothing in the file is believed:
 * every offset is compared with the size before it is followed. */
#ifndef PLUMB_RUNTIME_COMMON_ELF_FILE_H
#define PLUMB_RUNTIME_COMMON_ELF_FILE_H

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef ElfW(Shdr) runtime_elf_section;

struct runtime_elf {
    const char *data;
    size_t size;
    ElfW(Ehdr) header;
};

/* False, and errno says why: ENOEXEC, if it is no file for a machine like ours;
 * or no shared object for this one. */
bool runtime_elf_open(struct runtime_elf *f, const char *path);
bool runtime_elf_open_shared(struct runtime_elf *f, const char *path);
void runtime_elf_close(struct runtime_elf *f);

/* Section `index`; what it holds lies in the file. */
bool runtime_elf_section_at(const struct runtime_elf *f, uint32_t index,
                            runtime_elf_section *s);

/* The first one of that name, which holds something. */
bool runtime_elf_section_named(const struct runtime_elf *f, const char *name,
                               runtime_elf_section *s);

/* The first section of that type, and the texts that it refers to. */
struct runtime_elf_table {
    runtime_elf_section entries, texts;
};
bool runtime_elf_table_of(const struct runtime_elf *f, uint32_t type,
                          struct runtime_elf_table *table);

struct runtime_elf_symbol {
    const char *name; /* in the file; "" if it has none */
    uint64_t at, size;
    unsigned type; /* STT_... */
    bool defined, weak;
};

/* Symbol `i` of a table; false if there are fewer. */
bool runtime_elf_symbol_at(const struct runtime_elf *f,
                           const struct runtime_elf_table *table, size_t i,
                           struct runtime_elf_symbol *symbol);

static inline bool runtime_elf_is_function(const struct runtime_elf_symbol *s)
{
    return s->type == STT_FUNC || s->type == STT_GNU_IFUNC;
}

/* Is dynamic symbol `i` a function that it calls?  Of others that it uses nobody
 * says what they are. */
bool runtime_elf_calls(const struct runtime_elf *f, size_t i);

/* Does it use a symbol of others that begins so? */
bool runtime_elf_imports(const struct runtime_elf *f, const char *prefix);

/* The library `i` that it needs; NULL if there are fewer. */
const char *runtime_elf_needed(const struct runtime_elf *f, size_t i);

/* Where it wants them to be looked for: directories with colons between them;
 * or NULL. */
const char *runtime_elf_run_path(const struct runtime_elf *f);

#endif
