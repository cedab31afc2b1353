/* image.c - see image.h.
 *
 * What the loader mapped for the target and left writable is its variables:
 * the writable segments without what is read-only after relocation.  Libraries
 * that it needs belong to it if they were compiled with hooks, which shows in
 * their importing __tsan_init.
 *
 * System libraries that it needs are loaded first, by themselves.  What their
 * constructors allocate is not the target's. */
#include "image.h"

#include "pages.h"
#include "runtime/common/elf_file.h"
#include "runtime/explore/target/system_library.h"
#include <assert.h>
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MODULES = 16, PARTS = 32, CODES = 8 };

struct span {
    uintptr_t at, size;
};

static bool is_in(const struct span *s, const void *at)
{
    return (uintptr_t)at - s->at < s->size;
}

/* The target, and libraries that it brings. */
struct module {
    uintptr_t base;
    struct span code[CODES];
    unsigned codes;
};

/* Memory that it can write. */
struct part {
    char *at;
    size_t size;
    struct memory_pages kept;
};

static struct module module[MODULES];
static unsigned modules;
static struct part part[PARTS];
static unsigned parts;
static void *handle;
static char build_id[64];
static bool is_loading;
static struct span linker;

static struct {
    size_t module; /* 0: the target has no thread-locals */
    const char *image;
    size_t image_size, size;
} locals;

/* What compilers call for a thread-local variable. */
struct tls_index {
    unsigned long module, offset;
};
extern void *__tls_get_addr(struct tls_index *index);

/* ---- looking at what is loaded ---- */

static char *pointer(uintptr_t at)
{
    char *p;
    memcpy(&p, &at, sizeof p);
    return p;
}

static struct span segment(const struct dl_phdr_info *info,
                           const ElfW(Phdr) * h)
{
    return (struct span){ info->dlpi_addr + h->p_vaddr, h->p_memsz };
}

/* What is read-only after relocation lies at the start of a segment; only whole
 * pages are. */
static uintptr_t end_of_relocated(const struct dl_phdr_info *info,
                                  struct span all)
{
    const uintptr_t end = all.at + all.size;
    const uintptr_t page = (uintptr_t)getpagesize();
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *const h = &info->dlpi_phdr[i];
        if (h->p_type != PT_GNU_RELRO)
            continue;
        const struct span s = segment(info, h);
        const uintptr_t to = (s.at + s.size) & ~(page - 1);
        if (s.at <= all.at && to > all.at)
            return to < end ? to : end;
    }
    return all.at;
}

static bool keep_part(const struct dl_phdr_info *info, const ElfW(Phdr) * h)
{
    const struct span all = segment(info, h);
    const uintptr_t from = end_of_relocated(info, all);
    const size_t size = all.at + all.size - from;
    if (size == 0)
        return true;
    if (parts == PARTS)
        return false;
    part[parts++] = (struct part){ .at = pointer(from), .size = size };
    return true;
}

static bool keep_locals(const struct dl_phdr_info *info, const ElfW(Phdr) * h)
{
    if (h->p_memsz == 0)
        return true;
    if (locals.module)
        return false;
    locals.module = info->dlpi_tls_modid;
    locals.image = pointer(info->dlpi_addr + h->p_vaddr);
    locals.image_size = h->p_filesz;
    locals.size = h->p_memsz;
    return true;
}

/* Notes of 4-byte alignment: the sizes of a name and of the rest, a type. */
static void read_build_id(const struct dl_phdr_info *info, const ElfW(Phdr) * h)
{
    const char *at = pointer(info->dlpi_addr + h->p_vaddr);
    const char *const end = at + h->p_memsz;
    ElfW(Nhdr) n;
    while ((size_t)(end - at) >= sizeof n) {
        memcpy(&n, at, sizeof n);
        at += sizeof n;
        const size_t name = ((size_t)n.n_namesz + 3) & ~(size_t)3;
        const size_t rest = ((size_t)n.n_descsz + 3) & ~(size_t)3;
        if (name > (size_t)(end - at) || rest > (size_t)(end - at) - name)
            return;
        if (n.n_type == NT_GNU_BUILD_ID && n.n_namesz == 4 &&
            memcmp(at, "GNU", 4) == 0) {
            for (size_t i = 0; i < n.n_descsz && 2 * i + 2 < sizeof build_id;
                 i++)
                snprintf(build_id + 2 * i, 3, "%02x",
                         (unsigned char)at[name + i]);
            return;
        }
        at += name + rest;
    }
}

static const char *keep_segment(struct module *m,
                                const struct dl_phdr_info *info,
                                const ElfW(Phdr) * h)
{
    if (h->p_type == PT_LOAD && h->p_flags & PF_X && m->codes < CODES)
        m->code[m->codes++] = segment(info, h);
    if (h->p_type == PT_LOAD && h->p_flags & PF_W && !keep_part(info, h))
        return "has too many segments";
    if (h->p_type == PT_TLS && !keep_locals(info, h))
        return "has thread-local variables in more than one shared object";
    if (h->p_type == PT_NOTE && m == module)
        read_build_id(info, h);
    return NULL;
}

/* ---- loading ---- */

/* The module to look for, and what is wrong with it. */
struct wanted {
    const struct link_map *map;
    const char *wrong;
};

static int keep_module(struct dl_phdr_info *info, size_t size, void *context)
{
    struct wanted *const w = context;
    (void)size;
    if (info->dlpi_addr != w->map->l_addr ||
        strcmp(info->dlpi_name, w->map->l_name) != 0)
        return 0;
    if (modules == MODULES) {
        w->wrong = "needs too many libraries";
        return 1;
    }
    struct module *const m = &module[modules++];
    *m = (struct module){ .base = info->dlpi_addr };
    for (unsigned i = 0; i < info->dlpi_phnum && !w->wrong; i++)
        w->wrong = keep_segment(m, info, &info->dlpi_phdr[i]);
    return 1;
}

static int find_linker(struct dl_phdr_info *info, size_t size, void *context)
{
    const char *const inside = context;
    (void)size;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const struct span s = segment(info, &info->dlpi_phdr[i]);
        if (info->dlpi_phdr[i].p_type != PT_LOAD || !is_in(&s, inside))
            continue;
        linker = s;
        return 1;
    }
    return 0;
}

/* Kept open for good. */
static void load_system_libraries(const char *path)
{
    struct runtime_elf f;
    const char *name;
    if (!runtime_elf_open_shared(&f, path))
        return;
    for (size_t i = 0; (name = runtime_elf_needed(&f, i)); i++)
        if (target_is_system_library(name))
            (void)dlopen(name, RTLD_NOW | RTLD_LOCAL);
    runtime_elf_close(&f);
}

static bool has_hooks(const char *path)
{
    struct runtime_elf f;
    if (!runtime_elf_open_shared(&f, path))
        return false;
    const bool hooks = runtime_elf_imports(&f, "__tsan_");
    runtime_elf_close(&f);
    return hooks;
}

static bool fail(char *why, size_t size, const char *path, const char *what)
{
    snprintf(why, size, "%s: %s", path, what);
    return false;
}

static bool keep(const struct link_map *map, const char *path, char *why,
                 size_t size)
{
    struct wanted w = { .map = map };
    if (!dl_iterate_phdr(keep_module, &w))
        return fail(why, size, path,
                    "was loaded but cannot be found in memory");
    return w.wrong ? fail(why, size, path, w.wrong) : true;
}

/* Every library that came with it, and nothing that was there before. */
static bool keep_libraries(const struct link_map *map, const char *path,
                           char *why, size_t size)
{
    for (const struct link_map *m = map->l_next; m; m = m->l_next)
        if (!target_is_system_library(m->l_name) && has_hooks(m->l_name) &&
            !keep(m, path, why, size))
            return false;
    return true;
}

bool memory_image_load(const char *path, char *why, size_t size)
{
    struct link_map *map;
    dl_iterate_phdr(find_linker, (void *)(uintptr_t)__tls_get_addr);
    load_system_libraries(path);
    is_loading = true;
    handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    is_loading = false;
    if (!handle || dlinfo(handle, RTLD_DI_LINKMAP, &map)) {
        snprintf(why, size, "%s", dlerror()); /* it names the file */
        return false;
    }
    return keep(map, path, why, size) && keep_libraries(map, path, why, size);
}

bool memory_image_is_loading(void)
{
    return is_loading;
}

bool memory_image_is_linker(const void *pc)
{
    return is_in(&linker, pc);
}

void *memory_image_symbol(const char *name)
{
    return handle ? dlsym(handle, name) : NULL;
}

/* ---- as it was ---- */

bool memory_image_snapshot(void)
{
    for (unsigned i = 0; i < parts; i++)
        if (!memory_pages_keep(&part[i].kept, part[i].at, part[i].size))
            return false;
    return true;
}

void memory_image_restore(char *const *block, size_t blocks)
{
    for (unsigned i = 0; i < parts; i++)
        memory_pages_restore(&part[i].kept);
    for (size_t i = 0; i < blocks && locals.module; i++)
        memory_image_begin_locals(block[i]);
}

void memory_image_begin_locals(char *block)
{
    memcpy(block, locals.image, locals.image_size);
    memset(block + locals.image_size, 0, locals.size - locals.image_size);
}

void memory_image_pass(struct memory_tape *tape)
{
    for (unsigned i = 0; i < parts; i++)
        memory_pages_pass(&part[i].kept, tape);
}

char *memory_image_thread_locals(void)
{
    struct tls_index index = { locals.module, 0 };
    return locals.module ? __tls_get_addr(&index) : NULL;
}

size_t memory_image_thread_locals_size(void)
{
    return locals.size;
}

/* A pointer and a count, by the ABI that all compilers here share. */
char *memory_image_exceptions(void)
{
    void *(*globals)(void) = NULL;
    void *const at = memory_image_symbol("__cxa_get_globals");
    memcpy(&globals, &at, sizeof at);
    return at ? globals() : NULL;
}

/* Thread-locals of libstdc++, which inline code of the target writes. */
void memory_image_once(void **once[IMAGE_ONCE])
{
    once[0] = memory_image_symbol("_ZSt15__once_callable");
    once[1] = memory_image_symbol("_ZSt11__once_call");
}

/* ---- asking ---- */

bool memory_image_range(unsigned i, char **at, size_t *size)
{
    if (i >= parts)
        return false;
    *at = part[i].at;
    *size = part[i].size;
    return true;
}

/* Every part has its share. */
unsigned memory_image_ranges(struct memory_heap_range *range, unsigned most)
{
    unsigned n = 0;
    assert(most >= IMAGE_MOST_RANGES);
    for (unsigned i = 0; i < parts; i++)
        n += memory_pages_ranges(&part[i].kept, range + n,
                                 (most - n) / (parts - i));
    return n;
}

bool memory_image_has(const void *at)
{
    for (unsigned i = 0; i < parts; i++)
        if ((uintptr_t)at - (uintptr_t)part[i].at < part[i].size)
            return true;
    return false;
}

bool memory_image_has_code(const void *pc)
{
    for (unsigned i = 0; i < module[0].codes; i++)
        if (is_in(&module[0].code[i], pc))
            return true;
    return false;
}

uintptr_t memory_image_offset(const void *pc)
{
    return (uintptr_t)pc - module[0].base;
}

uintptr_t memory_image_base(void)
{
    return module[0].base;
}

const char *memory_image_build_id(void)
{
    return build_id;
}
