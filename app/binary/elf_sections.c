/* elf_sections.c - see elf_sections.h. */
#include "elf_sections.h"

#include <string.h>

bool binary_elf_read(const struct console_input *f, uint64_t at, void *to,
                     size_t size)
{
    if (at > f->size || size > f->size - at)
        return false;
    memcpy(to, f->data + at, size);
    return true;
}

bool binary_elf_read_header(const struct console_input *f, binary_elf_header *h)
{
    const unsigned char class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    return binary_elf_read(f, 0, h, sizeof *h) &&
           memcmp(h->e_ident, ELFMAG, SELFMAG) == 0 &&
           h->e_ident[EI_CLASS] == class &&
           h->e_shentsize == sizeof(binary_elf_section);
}

bool binary_elf_read_section(const struct console_input *f,
                             const binary_elf_header *h, uint32_t index,
                             binary_elf_section *s)
{
    return index < h->e_shnum && h->e_shoff <= f->size &&
           binary_elf_read(f, h->e_shoff + (uint64_t)index * sizeof *s, s,
                           sizeof *s) &&
           (s->sh_type == SHT_NOBITS ||
            (s->sh_offset <= f->size && s->sh_size <= f->size - s->sh_offset));
}

bool binary_elf_find_section(const struct console_input *f,
                             const binary_elf_header *h, uint32_t type,
                             binary_elf_section *s)
{
    for (uint32_t i = 0; i < h->e_shnum; i++)
        if (binary_elf_read_section(f, h, i, s) && s->sh_type == type)
            return true;
    return false;
}

bool binary_elf_is_text(const struct console_input *f,
                        const binary_elf_section *texts, uint64_t at,
                        const char *text)
{
    const size_t size = strlen(text) + 1;
    return texts->sh_type != SHT_NOBITS && at <= texts->sh_size &&
           size <= texts->sh_size - at &&
           memcmp(f->data + texts->sh_offset + at, text, size) == 0;
}

bool binary_elf_find_named_section(const struct console_input *f,
                                   const binary_elf_header *h, const char *name,
                                   binary_elf_section *s)
{
    binary_elf_section names;
    if (!binary_elf_read_section(f, h, h->e_shstrndx, &names))
        return false;
    for (uint32_t i = 0; i < h->e_shnum; i++)
        if (binary_elf_read_section(f, h, i, s) &&
            binary_elf_is_text(f, &names, s->sh_name, name))
            return true;
    return false;
}
