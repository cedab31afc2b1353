/* debug_symbols_none.c - names for the offsets of a shared object where there is no
 * libdw: those of the symbol table. */
#include "debug_symbols.h"
#include "elf_symbols.h"

#include <stdlib.h>

struct binary_symbols {
    struct binary_elf_symbols elf;
};

struct binary_symbols *binary_symbols_open(const char *path)
{
    struct binary_symbols *const s = calloc(1, sizeof *s);
    if (s && binary_elf_symbols_read(&s->elf, path))
        return s;
    free(s);
    return NULL;
}

void binary_symbols_close(struct binary_symbols *s)
{
    if (s)
        binary_elf_symbols_release(&s->elf);
    free(s);
}

bool binary_symbols_place(const struct binary_symbols *s, uint64_t offset,
                          struct binary_symbol_place *place)
{
    *place = (struct binary_symbol_place){ 0 };
    return binary_elf_symbols_place(&s->elf, offset, place);
}

bool binary_symbols_variable(const struct binary_symbols *s, uint64_t offset,
                             uint32_t size, struct binary_symbol_spot *spot)
{
    (void)size;
    *spot = (struct binary_symbol_spot){ 0 };
    return binary_elf_symbols_spot(&s->elf, ELF_DATA, offset, spot);
}

bool binary_symbols_thread_local(const struct binary_symbols *s,
                                 uint64_t offset, uint32_t size,
                                 struct binary_symbol_spot *spot)
{
    (void)size;
    *spot = (struct binary_symbol_spot){ 0 };
    return binary_elf_symbols_spot(&s->elf, ELF_LOCAL, offset, spot);
}

unsigned binary_symbols_places(const struct binary_symbols *s, uint64_t offset,
                               struct binary_symbol_place *place, unsigned room)
{
    return room && binary_symbols_place(s, offset, place);
}

/* ---- types are not known, nor where variables are on stacks ---- */

bool binary_symbols_frame(const struct binary_symbols *s,
                          struct binary_symbol_frame *f)
{
    (void)s, (void)f;
    return false;
}

bool binary_symbols_stack_variable(const struct binary_symbols *s,
                                   const struct binary_symbol_frame *f,
                                   uint64_t pc, uint64_t at,
                                   struct binary_symbol_variable *variable)
{
    (void)s, (void)f, (void)pc, (void)at, (void)variable;
    return false;
}

bool binary_symbols_inside(const struct binary_symbols *s,
                           binary_symbol_type type, uint64_t offset,
                           uint32_t size, struct binary_symbol_spot *spot)
{
    (void)s, (void)type, (void)offset, (void)size;
    *spot = (struct binary_symbol_spot){ 0 };
    return false;
}

binary_symbol_type binary_symbols_block(const struct binary_symbols *s,
                                        uint64_t pc, uint64_t size)
{
    (void)s, (void)pc, (void)size;
    return 0;
}

bool binary_symbols_record(const struct binary_symbols *s,
                           binary_symbol_type type,
                           struct binary_symbol_record *record)
{
    (void)s, (void)type, (void)record;
    return false;
}

bool binary_symbols_contains(const struct binary_symbols *s,
                             binary_symbol_type whole, uint64_t offset,
                             binary_symbol_type part)
{
    (void)s, (void)whole, (void)offset, (void)part;
    return false;
}

bool binary_symbols_type(const struct binary_symbols *s,
                         binary_symbol_type type, char name[SYMBOL_NAME],
                         uint64_t *size)
{
    (void)s, (void)type, (void)name, (void)size;
    return false;
}

bool binary_symbols_enumerator(const struct binary_symbols *s,
                               binary_symbol_type type, int64_t value,
                               char name[SYMBOL_NAME])
{
    (void)s, (void)type, (void)value, (void)name;
    return false;
}
