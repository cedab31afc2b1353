/* elf_sections.h - the sections of an ELF file of this machine.
 *
 * Nothing in the file is believed: every offset is compared with the size
 * before it is followed. */
#ifndef PLUMB_APP_BINARY_ELF_SECTIONS_H
#define PLUMB_APP_BINARY_ELF_SECTIONS_H

#include "app/console/input.h"
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>

typedef ElfW(Ehdr) binary_elf_header;
typedef ElfW(Shdr) binary_elf_section;

/* Copied, as a damaged file need not align anything. */
bool binary_elf_read(const struct console_input *f, uint64_t at, void *to,
                     size_t size);

bool binary_elf_read_header(const struct console_input *f,
                            binary_elf_header *h);

/* Section `index`; what it holds lies in the file. */
bool binary_elf_read_section(const struct console_input *f,
                             const binary_elf_header *h, uint32_t index,
                             binary_elf_section *s);

/* The first one of that type, or of that name. */
bool binary_elf_find_section(const struct console_input *f,
                             const binary_elf_header *h, uint32_t type,
                             binary_elf_section *s);
bool binary_elf_find_named_section(const struct console_input *f,
                                   const binary_elf_header *h, const char *name,
                                   binary_elf_section *s);

/* Is the text at `at` of the string table this one, end included? */
bool binary_elf_is_text(const struct console_input *f,
                        const binary_elf_section *texts, uint64_t at,
                        const char *text);

#endif
