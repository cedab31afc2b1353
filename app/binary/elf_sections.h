/* elf_sections.h - the sections of an ELF file of this machine.
 *
 * Nothing in the file is believed: every offset is compared with the size
 * before it is followed. */
#ifndef PLUMB_CLI_ELF_SECTIONS_H
#define PLUMB_CLI_ELF_SECTIONS_H

#include "app/console/input.h"
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>

typedef ElfW(Ehdr) elf_header;
typedef ElfW(Shdr) elf_section;

/* Copied, as a damaged file need not align anything. */
bool elf_read(const struct input *f, uint64_t at, void *to, size_t size);

bool elf_read_header(const struct input *f, elf_header *h);

/* Section `index`; what it holds lies in the file. */
bool elf_read_section(const struct input *f, const elf_header *h,
                      uint32_t index, elf_section *s);

/* The first one of that type, or of that name. */
bool elf_find_section(const struct input *f, const elf_header *h, uint32_t type,
                      elf_section *s);
bool elf_find_named_section(const struct input *f, const elf_header *h,
                            const char *name, elf_section *s);

/* Is the text at `at` of the string table this one, end included? */
bool elf_is_text(const struct input *f, const elf_section *texts, uint64_t at,
                 const char *text);

#endif
