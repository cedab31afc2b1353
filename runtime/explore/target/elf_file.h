/* elf_file.h - the symbols of a shared object, read from the file.
 *
 * Loading it would run its constructors.  Nothing in the file is believed:
 * every offset is compared with the size before it is followed. */
#ifndef PLUMB_RUNTIME_EXPLORE_TARGET_ELF_FILE_H
#define PLUMB_RUNTIME_EXPLORE_TARGET_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct target_elf_file {
    const char *data;
    size_t size;
};

/* False, and why, if it cannot be read or is no shared object for us. */
bool target_elf_open(struct target_elf_file *f, const char *path, char *why,
                     size_t size);
void target_elf_close(struct target_elf_file *f);

/* A part of the file, cut so that it lies in it. */
struct target_elf_part {
    uint64_t offset, size;
};

/* A table of symbols and the texts of their names; none is an empty one. */
struct target_elf_table {
    struct target_elf_part symbols, names;
};
struct target_elf_table target_elf_dynamic_symbols(
    const struct target_elf_file *f);

struct target_elf_symbol {
    const char *name; /* in the file; "" if it has none */
    uint64_t at, size;
    bool defined, weak, function;
};
/* Symbol `i`; false if there are fewer. */
bool target_elf_symbol(const struct target_elf_file *f,
                       const struct target_elf_table *table, size_t i,
                       struct target_elf_symbol *symbol);

/* Is dynamic symbol `i` a function that it calls?  Of others that it uses nobody
 * says what they are. */
bool target_elf_calls(const struct target_elf_file *f, size_t i);

/* Does it use a symbol of others that begins so? */
bool target_elf_imports(const struct target_elf_file *f, const char *prefix);

/* The library `i` that it needs; NULL if there are fewer. */
const char *target_elf_needed(const struct target_elf_file *f, size_t i);

/* Where it wants them to be looked for: directories with colons between them;
 * or NULL. */
const char *target_elf_run_path(const struct target_elf_file *f);

#endif
