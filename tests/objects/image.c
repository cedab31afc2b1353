/* image.c - see image.h. */
#include "image.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 8 };

/* Memory of the object that it can write, and what it held. */
struct part {
    char *at, *copy;
    size_t size;
};

static struct part part[PARTS];
static size_t parts;
static uintptr_t base;

static struct {
    size_t module; /* 0: the object has no thread-locals */
    const char *image;
    size_t image_size, size;
} locals;

/* What the linker does in glibc and gcc call for a thread-local variable. */
struct tls_index {
    unsigned long module, offset;
};
extern void *__tls_get_addr(struct tls_index *index);

static void keep(char *from, const char *end)
{
    if (parts == PARTS || from >= end) {
        if (from < end)
            abort();
        return;
    }
    struct part *const p = &part[parts++];
    *p = (struct part){ .at = from, .size = (size_t)(end - from) };
    p->copy = malloc(p->size);
    if (!p->copy)
        abort();
    memcpy(p->copy, p->at, p->size);
}

static char *address(const struct dl_phdr_info *info, uint64_t offset)
{
    char *start;
    const uintptr_t at = info->dlpi_addr + offset;
    memcpy(&start, &at, sizeof start);
    return start;
}

/* What is read-only after relocation lies at the start of a segment. */
static char *end_of_relocated(const struct dl_phdr_info *info, char *start,
                              char *end)
{
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *const h = &info->dlpi_phdr[i];
        if (h->p_type != PT_GNU_RELRO)
            continue;
        char *const from = address(info, h->p_vaddr);
        char *const to = address(info, (h->p_vaddr + h->p_memsz) & ~0xfffUL);
        if (from <= start && to > start)
            return to < end ? to : end;
    }
    return start;
}

static void keep_segments(const struct dl_phdr_info *info)
{
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *const h = &info->dlpi_phdr[i];
        char *const start = address(info, h->p_vaddr);
        if (h->p_type == PT_LOAD && h->p_flags & PF_W)
            keep(end_of_relocated(info, start, start + h->p_memsz),
                 start + h->p_memsz);
        if (h->p_type == PT_TLS) {
            locals.module = info->dlpi_tls_modid;
            locals.image = start;
            locals.image_size = h->p_filesz;
            locals.size = h->p_memsz;
        }
    }
}

static int keep_object(struct dl_phdr_info *info, size_t size, void *wanted)
{
    (void)size;
    const struct link_map *const map = wanted;
    if (info->dlpi_addr != map->l_addr || strcmp(info->dlpi_name, map->l_name))
        return 0;
    base = info->dlpi_addr;
    keep_segments(info);
    return 1;
}

const struct plumb_object *image_load(const char *path)
{
    struct link_map *map;
    void *const handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle || dlinfo(handle, RTLD_DI_LINKMAP, &map)) {
        fprintf(stderr, "schedules: %s\n", dlerror());
        return NULL;
    }
    const struct plumb_object *const object =
        dlsym(handle, PLUMB_OBJECT_SYMBOL);
    if (!object || object->version > PLUMB_OBJECT_VERSION) {
        fprintf(stderr, "schedules: %s describes no object of this version\n",
                path);
        return NULL;
    }
    if (!dl_iterate_phdr(keep_object, map)) {
        fprintf(stderr, "schedules: %s was loaded and is not there\n", path);
        return NULL;
    }
    return object;
}

void image_restore(char *const *block, size_t blocks)
{
    for (size_t i = 0; i < parts; i++)
        memcpy(part[i].at, part[i].copy, part[i].size);
    if (!locals.module)
        return;
    for (size_t i = 0; i < blocks; i++) {
        memcpy(block[i], locals.image, locals.image_size);
        memset(block[i] + locals.image_size, 0,
               locals.size - locals.image_size);
    }
}

char *image_thread_locals(void)
{
    struct tls_index index = { locals.module, 0 };
    return locals.module ? __tls_get_addr(&index) : NULL;
}

uintptr_t image_offset(const void *at)
{
    return (uintptr_t)at - base;
}
