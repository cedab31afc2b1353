/* elf_file.c - see elf_file.h. */
#include "elf_file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef ElfW(Ehdr) header;
typedef ElfW(Shdr) section;
typedef ElfW(Sym) entry;
typedef ElfW(Dyn) dynamic;
typedef ElfW(Rela) relocation;

#if defined(__x86_64__)
enum { MACHINE = EM_X86_64, CALL = R_X86_64_JUMP_SLOT };
#elif defined(__aarch64__)
enum { MACHINE = EM_AARCH64, CALL = R_AARCH64_JUMP_SLOT };
#else
enum { MACHINE = EM_NONE, CALL = -1 };
#endif

/* Copied, as a damaged file need not align anything. */
static bool read_at(const struct target_elf_file *f, uint64_t at, void *to,
                    size_t size)
{
    if (at > f->size || size > f->size - at)
        return false;
    memcpy(to, f->data + at, size);
    return true;
}

static bool read_header(const struct target_elf_file *f, header *h)
{
    const unsigned char class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    return read_at(f, 0, h, sizeof *h) &&
           memcmp(h->e_ident, ELFMAG, SELFMAG) == 0 &&
           h->e_ident[EI_CLASS] == class && h->e_shentsize == sizeof(section);
}

static bool read_section(const struct target_elf_file *f, const header *h,
                         uint32_t index, section *s)
{
    return index < h->e_shnum && h->e_shoff <= f->size &&
           read_at(f, h->e_shoff + (uint64_t)index * sizeof *s, s, sizeof *s);
}

static bool map_file(struct target_elf_file *f, int file)
{
    struct stat s;
    if (fstat(file, &s) || s.st_size <= 0)
        return false;
    void *const at =
        mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (at == MAP_FAILED)
        return false;
    *f = (struct target_elf_file){ at, (size_t)s.st_size };
    return true;
}

bool target_elf_open(struct target_elf_file *f, const char *path, char *why,
                     size_t size)
{
    header h;
    errno = 0; /* an empty file is no error of the system */
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const bool there = file >= 0 && map_file(f, file);
    if (!there)
        snprintf(why, size, "%s: %s", path, strerror(errno ? errno : EINVAL));
    if (file >= 0)
        close(file);
    if (!there)
        return false;
    if (read_header(f, &h) && h.e_type == ET_DYN && h.e_machine == MACHINE)
        return true;
    snprintf(why, size, "%s: not a shared object for this machine", path);
    target_elf_close(f);
    return false;
}

void target_elf_close(struct target_elf_file *f)
{
    union {
        const char *in;
        void *out;
    } at = { f->data };
    if (f->data)
        munmap(at.out, f->size);
    *f = (struct target_elf_file){ NULL, 0 };
}

static struct target_elf_part part_of(const struct target_elf_file *f,
                                      const section *s)
{
    if (s->sh_type == SHT_NOBITS || s->sh_offset > f->size)
        return (struct target_elf_part){ 0, 0 };
    const uint64_t left = f->size - s->sh_offset;
    return (struct target_elf_part){ s->sh_offset,
                                     s->sh_size < left ? s->sh_size : left };
}

/* The first section of that type, and the one it refers to. */
static struct target_elf_table find_table(const struct target_elf_file *f,
                                          uint32_t type)
{
    header h;
    section table, names;
    if (!read_header(f, &h))
        return (struct target_elf_table){ { 0, 0 }, { 0, 0 } };
    for (uint32_t i = 0; read_section(f, &h, i, &table); i++)
        if (table.sh_type == type && read_section(f, &h, table.sh_link, &names))
            return (struct target_elf_table){ part_of(f, &table),
                                              part_of(f, &names) };
    return (struct target_elf_table){ { 0, 0 }, { 0, 0 } };
}

struct target_elf_table target_elf_dynamic_symbols(
    const struct target_elf_file *f)
{
    return find_table(f, SHT_DYNSYM);
}

/* "" if it is not there, or does not end. */
static const char *text_at(const struct target_elf_file *f,
                           struct target_elf_part texts, uint64_t at)
{
    if (at >= texts.size)
        return "";
    const char *const text = f->data + texts.offset + at;
    return memchr(text, 0, texts.size - at) ? text : "";
}

bool target_elf_symbol(const struct target_elf_file *f,
                       const struct target_elf_table *table, size_t i,
                       struct target_elf_symbol *symbol)
{
    entry e;
    if (i >= table->symbols.size / sizeof e ||
        !read_at(f, table->symbols.offset + i * sizeof e, &e, sizeof e))
        return false;
    const unsigned type = e.st_info & 0xf;
    *symbol = (struct target_elf_symbol){
        .name = text_at(f, table->names, e.st_name),
        .at = e.st_value,
        .size = e.st_size,
        .defined = e.st_shndx != SHN_UNDEF,
        .weak = e.st_info >> 4 == STB_WEAK,
        .function = type == STT_FUNC || type == STT_GNU_IFUNC,
    };
    return true;
}

/* Functions are called through slots that the linker fills in. */
static bool has_slot(const struct target_elf_file *f,
                     struct target_elf_part relocations, size_t symbol)
{
    relocation r;
    for (uint64_t at = 0; relocations.size - at >= sizeof r; at += sizeof r)
        if (read_at(f, relocations.offset + at, &r, sizeof r) &&
            ELF64_R_TYPE(r.r_info) == CALL && ELF64_R_SYM(r.r_info) == symbol)
            return true;
    return false;
}

bool target_elf_calls(const struct target_elf_file *f, size_t i)
{
    header h;
    section s;
    if (!read_header(f, &h))
        return false;
    for (uint32_t k = 0; read_section(f, &h, k, &s); k++)
        if (s.sh_type == SHT_RELA && has_slot(f, part_of(f, &s), i))
            return true;
    return false;
}

bool target_elf_imports(const struct target_elf_file *f, const char *prefix)
{
    const struct target_elf_table table = target_elf_dynamic_symbols(f);
    struct target_elf_symbol s;
    for (size_t i = 0; target_elf_symbol(f, &table, i, &s); i++)
        if (!s.defined && strncmp(s.name, prefix, strlen(prefix)) == 0)
            return true;
    return false;
}

/* The text of entry `i` with this tag; NULL if there are fewer. */
static const char *dynamic_text(const struct target_elf_file *f, int64_t tag,
                                size_t i)
{
    const struct target_elf_table table = find_table(f, SHT_DYNAMIC);
    dynamic d;
    for (uint64_t at = 0; table.symbols.size - at >= sizeof d; at += sizeof d) {
        if (!read_at(f, table.symbols.offset + at, &d, sizeof d) ||
            d.d_tag == DT_NULL)
            return NULL;
        if (d.d_tag == tag && i-- == 0)
            return text_at(f, table.names, d.d_un.d_val);
    }
    return NULL;
}

const char *target_elf_needed(const struct target_elf_file *f, size_t i)
{
    return dynamic_text(f, DT_NEEDED, i);
}

const char *target_elf_run_path(const struct target_elf_file *f)
{
    const char *const path = dynamic_text(f, DT_RUNPATH, 0);
    return path ? path : dynamic_text(f, DT_RPATH, 0);
}
