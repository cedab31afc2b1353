/* writable_memory.c - where a loaded shared object keeps its variables. */
#include "writable_memory.h"

#include "exports.h"
#include <link.h>
#include <stdint.h>
#include <unistd.h>

/* What may be called: these have no state.  Anything else might. */
static const char stateless[] =
    " plumb_arg plumb_arg_text plumb_return plumb_block plumb_return_bool "
    "plumb_return_text plumb_term plumb_process plumb_retry plumb_contend "
    "memcpy memmove memset memcmp memchr strlen strcmp strncmp strcpy "
    "strncpy strchr strrchr strcat strnlen abs labs llabs abort "
    "__assert_fail __stack_chk_fail __cxa_finalize __gmon_start__ "
    "_ITM_deregisterTMCloneTable _ITM_registerTMCloneTable ";

struct search {
    struct binary_writable_memory *memory;
    uintptr_t address;
    bool found, whole;
};

static bool holds(const struct dl_phdr_info *info, uintptr_t address)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *const p = &info->dlpi_phdr[i];
        const uintptr_t from = info->dlpi_addr + p->p_vaddr;
        if (p->p_type == PT_LOAD && address >= from &&
            address - from < p->p_memsz)
            return true;
    }
    return false;
}

/* What was written by the loader and protected since then ends here. */
static uintptr_t end_of_protected(const struct dl_phdr_info *info)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *const p = &info->dlpi_phdr[i];
        if (p->p_type == PT_GNU_RELRO) {
            const uintptr_t end = info->dlpi_addr + p->p_vaddr + p->p_memsz;
            return (end + page - 1) / page * page;
        }
    }
    return 0;
}

static bool add_part(struct binary_writable_memory *memory, uintptr_t from,
                     uintptr_t to)
{
    if (from >= to)
        return true;
    if (memory->parts == MEMORY_PARTS || to - from > MOST_MEMORY)
        return false;
    union {
        uintptr_t number;
        char *pointer;
    } address = { from };
    memory->part[memory->parts].at = address.pointer;
    memory->part[memory->parts++].size = to - from;
    return true;
}

static bool add_writable(struct binary_writable_memory *memory,
                         const struct dl_phdr_info *info)
{
    const uintptr_t protected = end_of_protected(info);
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *const p = &info->dlpi_phdr[i];
        const uintptr_t from = info->dlpi_addr + p->p_vaddr;
        if (p->p_type == PT_TLS && p->p_memsz > 0)
            return false;
        if (p->p_type == PT_LOAD && (p->p_flags & PF_W) &&
            !add_part(memory, from < protected ? protected : from,
                      from + p->p_memsz))
            return false;
    }
    return true;
}

static int look(struct dl_phdr_info *info, size_t size, void *context)
{
    struct search *const s = context;
    (void)size;
    if (!holds(info, s->address))
        return 0;
    s->found = true;
    s->whole = binary_imports_only(info->dlpi_name, stateless) &&
               add_writable(s->memory, info);
    return 1;
}

bool binary_writable_memory_find(struct binary_writable_memory *m,
                                 const void *address)
{
    struct search s = { .memory = m, .address = (uintptr_t)address };
    *m = (struct binary_writable_memory){ .parts = 0 };
    dl_iterate_phdr(look, &s);
    return s.found && s.whole;
}
