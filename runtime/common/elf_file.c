/* elf_file.c - see elf_file.h. */
#include "elf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { MACHINE = EM_X86_64, CALL = R_X86_64_JUMP_SLOT };
#elif defined(__aarch64__)
enum { MACHINE = EM_AARCH64, CALL = R_AARCH64_JUMP_SLOT };
#else
enum { MACHINE = EM_NONE, CALL = -1 };
#endif

/* ---- the file ---- */

/* Copied, as a damaged file need not align anything. */
static bool read_at(const struct runtime_elf *f, uint64_t at, void *to,
                    size_t size)
{
    if (at > f->size || size > f->size - at)
        return false;
    memcpy(to, f->data + at, size);
    return true;
}

static bool read_header(struct runtime_elf *f)
{
    const unsigned char class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    const ElfW(Ehdr) *const h = &f->header;
    return read_at(f, 0, &f->header, sizeof *h) &&
           memcmp(h->e_ident, ELFMAG, SELFMAG) == 0 &&
           h->e_ident[EI_CLASS] == class &&
           h->e_shentsize == sizeof(runtime_elf_section);
}

static bool map_file(struct runtime_elf *f, int file)
{
    struct stat s;
    if (fstat(file, &s))
        return false;
    const size_t size = s.st_size > 0 ? (size_t)s.st_size : 0;
    void *const at = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (at == MAP_FAILED) /* of nothing: EINVAL */
        return false;
    *f = (struct runtime_elf){ .data = at, .size = size };
    return true;
}

/* It is open, and none of those that were asked for. */
static bool refuse(struct runtime_elf *f)
{
    runtime_elf_close(f);
    errno = ENOEXEC;
    return false;
}

bool runtime_elf_open(struct runtime_elf *f, const char *path)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    const bool there = map_file(f, file);
    const int error = errno;
    close(file);
    errno = error;
    return there && (read_header(f) || refuse(f));
}

bool runtime_elf_open_shared(struct runtime_elf *f, const char *path)
{
    return runtime_elf_open(f, path) &&
           ((f->header.e_type == ET_DYN && f->header.e_machine == MACHINE) ||
            refuse(f));
}

void runtime_elf_close(struct runtime_elf *f)
{
    union {
        const char *in;
        void *out;
    } at = { f->data };
    munmap(at.out, f->size);
    *f = (struct runtime_elf){ .size = 0 };
}

/* ---- sections ---- */

bool runtime_elf_section_at(const struct runtime_elf *f, uint32_t index,
                            runtime_elf_section *s)
{
    const ElfW(Ehdr) *const h = &f->header;
    return index < h->e_shnum && h->e_shoff <= f->size &&
           read_at(f, h->e_shoff + (uint64_t)index * sizeof *s, s, sizeof *s) &&
           (s->sh_type == SHT_NOBITS ||
            (s->sh_offset <= f->size && s->sh_size <= f->size - s->sh_offset));
}

/* "" if it is not there, or does not end. */
static const char *text_at(const struct runtime_elf *f,
                           const runtime_elf_section *texts, uint64_t at)
{
    if (texts->sh_type == SHT_NOBITS || at >= texts->sh_size)
        return "";
    const char *const text = f->data + texts->sh_offset + at;
    return memchr(text, 0, texts->sh_size - at) ? text : "";
}

bool runtime_elf_section_named(const struct runtime_elf *f, const char *name,
                               runtime_elf_section *s)
{
    runtime_elf_section names;
    if (!runtime_elf_section_at(f, f->header.e_shstrndx, &names))
        return false;
    for (uint32_t i = 0; i < f->header.e_shnum; i++)
        if (runtime_elf_section_at(f, i, s) && s->sh_type != SHT_NOBITS &&
            strcmp(text_at(f, &names, s->sh_name), name) == 0)
            return true;
    return false;
}

bool runtime_elf_table_of(const struct runtime_elf *f, uint32_t type,
                          struct runtime_elf_table *table)
{
    for (uint32_t i = 0; i < f->header.e_shnum; i++)
        if (runtime_elf_section_at(f, i, &table->entries) &&
            table->entries.sh_type == type &&
            runtime_elf_section_at(f, table->entries.sh_link, &table->texts))
            return true;
    return false;
}

/* Entry `i`, of `size` bytes, of a section that holds such. */
static bool entry_at(const struct runtime_elf *f, const runtime_elf_section *s,
                     size_t i, void *entry, size_t size)
{
    return i < s->sh_size / size &&
           read_at(f, s->sh_offset + i * size, entry, size);
}

/* ---- symbols ---- */

bool runtime_elf_symbol_at(const struct runtime_elf *f,
                           const struct runtime_elf_table *table, size_t i,
                           struct runtime_elf_symbol *symbol)
{
    ElfW(Sym) e;
    if (!entry_at(f, &table->entries, i, &e, sizeof e))
        return false;
    *symbol = (struct runtime_elf_symbol){
        .name = text_at(f, &table->texts, e.st_name),
        .at = e.st_value,
        .size = e.st_size,
        .type = e.st_info & 0xf,
        .defined = e.st_shndx != SHN_UNDEF,
        .weak = e.st_info >> 4 == STB_WEAK,
    };
    return true;
}

/* Functions are called through slots that the linker fills in. */
static bool has_slot(const struct runtime_elf *f,
                     const runtime_elf_section *relocations, size_t symbol)
{
    ElfW(Rela) r;
    for (size_t i = 0; entry_at(f, relocations, i, &r, sizeof r); i++)
        if (ELF64_R_TYPE(r.r_info) == CALL && ELF64_R_SYM(r.r_info) == symbol)
            return true;
    return false;
}

bool runtime_elf_calls(const struct runtime_elf *f, size_t i)
{
    runtime_elf_section s;
    for (uint32_t k = 0; runtime_elf_section_at(f, k, &s); k++)
        if (s.sh_type == SHT_RELA && has_slot(f, &s, i))
            return true;
    return false;
}

bool runtime_elf_imports(const struct runtime_elf *f, const char *prefix)
{
    struct runtime_elf_table table;
    struct runtime_elf_symbol s;
    if (!runtime_elf_table_of(f, SHT_DYNSYM, &table))
        return false;
    for (size_t i = 0; runtime_elf_symbol_at(f, &table, i, &s); i++)
        if (!s.defined && strncmp(s.name, prefix, strlen(prefix)) == 0)
            return true;
    return false;
}

/* ---- what the linker is told ---- */

/* The text of entry `i` with this tag; NULL if there are fewer. */
static const char *dynamic_text(const struct runtime_elf *f, int64_t tag,
                                size_t i)
{
    struct runtime_elf_table table;
    ElfW(Dyn) d;
    if (!runtime_elf_table_of(f, SHT_DYNAMIC, &table))
        return NULL;
    for (size_t k = 0;
         entry_at(f, &table.entries, k, &d, sizeof d) && d.d_tag != DT_NULL;
         k++)
        if (d.d_tag == tag && i-- == 0)
            return text_at(f, &table.texts, d.d_un.d_val);
    return NULL;
}

const char *runtime_elf_needed(const struct runtime_elf *f, size_t i)
{
    return dynamic_text(f, DT_NEEDED, i);
}

const char *runtime_elf_run_path(const struct runtime_elf *f)
{
    const char *const path = dynamic_text(f, DT_RUNPATH, 0);
    return path ? path : dynamic_text(f, DT_RPATH, 0);
}
