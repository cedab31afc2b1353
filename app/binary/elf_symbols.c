/* elf_symbols.c - functions and variables by the symbol table of a file.
 *
 * The full table if it was not stripped, else that of the dynamic symbols. */
#include "elf_symbols.h"

#include "elf_sections.h"
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

typedef ElfW(Sym) symbol_entry;

/* ---- symbols ---- */

static bool kind_of(const symbol_entry *s, enum binary_elf_symbol_kind *kind)
{
    switch (s->st_info & 0xf) {
    case STT_FUNC:
    case STT_GNU_IFUNC:
        *kind = ELF_CODE;
        return true;
    case STT_OBJECT:
        *kind = ELF_DATA;
        return true;
    case STT_TLS:
        *kind = ELF_LOCAL;
        return true;
    default:
        return false;
    }
}

static char *copy_name(const struct console_input *f,
                       const binary_elf_section *texts, uint64_t at)
{
    if (at >= texts->sh_size)
        return NULL;
    const char *const name = (const char *)f->data + texts->sh_offset + at;
    const size_t most = (size_t)(texts->sh_size - at);
    const size_t length = strnlen(name, most);
    return length && length < most ? strndup(name, length) : NULL;
}

static void keep(struct binary_elf_symbols *e, const struct console_input *f,
                 const binary_elf_section *texts, const symbol_entry *s)
{
    struct binary_elf_symbol new = { .at = s->st_value, .size = s->st_size };
    if (s->st_shndx == SHN_UNDEF || !kind_of(s, &new.kind))
        return;
    new.name = copy_name(f, texts, s->st_name);
    if (new.name)
        e->symbol[e->count++] = new;
}

static bool read_table(struct binary_elf_symbols *e,
                       const struct console_input *f,
                       const binary_elf_section *table,
                       const binary_elf_section *texts)
{
    const uint64_t count = table->sh_size / sizeof(symbol_entry);
    e->symbol = calloc((size_t)count + 1, sizeof *e->symbol);
    for (uint64_t i = 0; e->symbol && i < count; i++) {
        symbol_entry s;
        if (binary_elf_read(f, table->sh_offset + i * sizeof s, &s, sizeof s))
            keep(e, f, texts, &s);
    }
    return e->symbol != NULL;
}

static int by_place(const void *a, const void *b)
{
    const struct binary_elf_symbol *const x = a, *const y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return strcmp(x->name, y->name);
}

static bool read_file(struct binary_elf_symbols *e,
                      const struct console_input *f)
{
    binary_elf_header h;
    binary_elf_section table, texts;
    if (!binary_elf_read_header(f, &h) || h.e_type != ET_DYN)
        return false;
    if ((!binary_elf_find_section(f, &h, SHT_SYMTAB, &table) &&
         !binary_elf_find_section(f, &h, SHT_DYNSYM, &table)) ||
        !binary_elf_read_section(f, &h, table.sh_link, &texts) ||
        texts.sh_type != SHT_STRTAB)
        return true; /* without names */
    if (!read_table(e, f, &table, &texts))
        return false;
    qsort(e->symbol, e->count, sizeof *e->symbol, by_place);
    return true;
}

bool binary_elf_symbols_read(struct binary_elf_symbols *e, const char *path)
{
    struct console_input f;
    struct plumb_error err;
    *e = (struct binary_elf_symbols){ 0 };
    if (console_input_open(&f, path, NULL, &err) != PLUMB_OK)
        return false;
    const bool done = read_file(e, &f);
    console_input_close(&f);
    return done;
}

void binary_elf_symbols_release(struct binary_elf_symbols *e)
{
    for (size_t i = 0; i < e->count; i++)
        free(e->symbol[i].name);
    free(e->symbol);
    *e = (struct binary_elf_symbols){ 0 };
}

const struct binary_elf_symbol *binary_elf_symbols_find(
    const struct binary_elf_symbols *e, enum binary_elf_symbol_kind kind,
    uint64_t at)
{
    for (size_t i = 0; i < e->count; i++) {
        const struct binary_elf_symbol *const s = e->symbol + i;
        if (s->kind == kind && at >= s->at &&
            at - s->at < (s->size ? s->size : 1))
            return s;
    }
    return NULL;
}
