/* exports.c - the symbols of a shared object, read from the file.
 *
 * Loading it would run its constructors.  Nothing in the file is believed:
 * every offset is compared with the size before it is followed. */
#include "exports.h"

#include "input.h"
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

typedef ElfW(Ehdr) header;
typedef ElfW(Shdr) section;
typedef ElfW(Sym) symbol_entry;

/* Copied, as a damaged file need not align anything. */
static bool read_at(const struct input *f, uint64_t at, void *to, size_t size)
{
    if (at > f->size || size > f->size - at)
        return false;
    memcpy(to, f->data + at, size);
    return true;
}

static bool read_header(const struct input *f, header *h)
{
    const unsigned char class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    return read_at(f, 0, h, sizeof *h) &&
           memcmp(h->e_ident, ELFMAG, SELFMAG) == 0 &&
           h->e_ident[EI_CLASS] == class && h->e_shentsize == sizeof(section);
}

static bool read_section(const struct input *f, const header *h, uint32_t index,
                         section *s)
{
    return index < h->e_shnum && h->e_shoff <= f->size &&
           read_at(f, h->e_shoff + (uint64_t)index * sizeof *s, s, sizeof *s);
}

/* Is the text at `at` in the string table `name`, end included? */
static bool is_text(const struct input *f, const section *texts, uint64_t at,
                    const char *name)
{
    const size_t size = strlen(name) + 1;
    if (texts->sh_offset > f->size || texts->sh_size > f->size ||
        at > texts->sh_size || size > texts->sh_size - at)
        return false;
    const uint64_t from = texts->sh_offset + at;
    return from <= f->size && size <= f->size - from &&
           memcmp(f->data + from, name, size) == 0;
}

/* Calls visit() for every symbol of every table, until one returns true. */
struct visit {
    bool (*visit)(const struct visit *v, const struct input *f,
                  const section *texts, const symbol_entry *s);
    const char *name;           /* looked for */
    const char *const *allowed; /* ... or all there may be */
};

static bool any_in_table(const struct visit *v, const struct input *f,
                         const section *table, const section *texts)
{
    symbol_entry s;
    if (table->sh_offset > f->size || table->sh_size > f->size)
        return false;
    for (uint64_t at = 0; table->sh_size - at >= sizeof s; at += sizeof s) {
        if (!read_at(f, table->sh_offset + at, &s, sizeof s))
            return false;
        if (v->visit(v, f, texts, &s))
            return true;
    }
    return false;
}

/* `tables`: how many there were. */
static bool any_symbol(const struct visit *v, const struct input *f,
                       unsigned *tables)
{
    header h;
    section table, texts;
    *tables = 0;
    if (!read_header(f, &h))
        return false;
    for (uint32_t i = 0; read_section(f, &h, i, &table); i++) {
        if (table.sh_type != SHT_DYNSYM ||
            !read_section(f, &h, table.sh_link, &texts))
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
    struct input in;
    *tables = 0;
    if (input_open(&in, path, NULL, &err) != PLUMB_OK)
        return false;
    const bool found = any_symbol(v, &in, tables);
    input_close(&in);
    return found;
}

static bool is_defined(const struct visit *v, const struct input *f,
                       const section *texts, const symbol_entry *s)
{
    return s->st_shndx != SHN_UNDEF && is_text(f, texts, s->st_name, v->name);
}

bool exports(const char *path, const char *symbol)
{
    const struct visit v = { .visit = is_defined, .name = symbol };
    unsigned tables;
    return any_in_file(&v, path, &tables);
}

static bool is_foreign(const struct visit *v, const struct input *f,
                       const section *texts, const symbol_entry *s)
{
    if (s->st_shndx != SHN_UNDEF || s->st_name == 0)
        return false;
    for (const char *const *name = v->allowed; *name; name++)
        if (is_text(f, texts, s->st_name, *name))
            return false;
    return true;
}

bool imports_only(const char *path, const char *const *allowed)
{
    const struct visit v = { .visit = is_foreign, .allowed = allowed };
    unsigned tables;
    return !any_in_file(&v, path, &tables) && tables > 0;
}

bool is_whole_object(const char *path)
{
    struct plumb_error err;
    struct input in;
    header h;
    section last;
    if (input_open(&in, path, NULL, &err) != PLUMB_OK)
        return false;
    const bool whole = read_header(&in, &h) && h.e_shnum > 0 &&
                       read_section(&in, &h, h.e_shnum - 1u, &last);
    input_close(&in);
    return whole;
}
