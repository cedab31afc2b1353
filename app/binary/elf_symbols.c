/* elf_symbols.c - functions and variables by the symbol table of a file.
 *
 * The full table if it was not stripped, else that of the dynamic symbols. */
#include "elf_symbols.h"

#include "runtime/common/elf_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool kind_of(const struct runtime_elf_symbol *s,
                    enum binary_elf_symbol_kind *kind)
{
    switch (s->type) {
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

static void keep(struct binary_elf_symbols *e,
                 const struct runtime_elf_symbol *s)
{
    struct binary_elf_symbol new = { .at = s->at, .size = s->size };
    if (!s->defined || !*s->name || !kind_of(s, &new.kind))
        return;
    new.name = strdup(s->name);
    if (new.name)
        e->symbol[e->count++] = new;
}

static bool read_table(struct binary_elf_symbols *e,
                       const struct runtime_elf *f,
                       const struct runtime_elf_table *table)
{
    const size_t most = table->entries.sh_size / sizeof(ElfW(Sym));
    struct runtime_elf_symbol s;
    e->symbol = calloc(most + 1, sizeof *e->symbol);
    for (size_t i = 0; e->symbol && runtime_elf_symbol_at(f, table, i, &s); i++)
        keep(e, &s);
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

static bool read_file(struct binary_elf_symbols *e, const struct runtime_elf *f)
{
    struct runtime_elf_table table;
    if (!runtime_elf_table_of(f, SHT_SYMTAB, &table) &&
        !runtime_elf_table_of(f, SHT_DYNSYM, &table))
        return true; /* without names */
    if (!read_table(e, f, &table))
        return false;
    qsort(e->symbol, e->count, sizeof *e->symbol, by_place);
    return true;
}

bool binary_elf_symbols_read(struct binary_elf_symbols *e, const char *path)
{
    struct runtime_elf f;
    *e = (struct binary_elf_symbols){ 0 };
    if (!runtime_elf_open_shared(&f, path))
        return false;
    const bool done = read_file(e, &f);
    runtime_elf_close(&f);
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

bool binary_elf_symbols_place(const struct binary_elf_symbols *e, uint64_t at,
                              struct binary_symbol_place *place)
{
    const struct binary_elf_symbol *const found =
        binary_elf_symbols_find(e, ELF_CODE, at);
    if (found)
        snprintf(place->function, sizeof place->function, "%s", found->name);
    return found != NULL;
}

bool binary_elf_symbols_spot(const struct binary_elf_symbols *e,
                             enum binary_elf_symbol_kind kind, uint64_t at,
                             struct binary_symbol_spot *spot)
{
    const struct binary_elf_symbol *const found =
        binary_elf_symbols_find(e, kind, at);
    if (!found)
        return false;
    snprintf(spot->name, sizeof spot->name, "%s", found->name);
    spot->size = found->size <= UINT32_MAX ? (uint32_t)found->size : 0;
    spot->into = (uint32_t)(at - found->at);
    return true;
}
