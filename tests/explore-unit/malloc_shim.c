/* malloc_shim.c - a program with malloc in front of libc's, as the host is.
 *
 * By itself, because a library for tests that allocates would be served by what
 * is tested.  Says what is wrong on stderr, and is silent if nothing is. */
#include "fake_hooks.h"
#include "fake_stage.h"
#include "runtime/explore/memory/heap.h"
#include "runtime/explore/memory/image.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t forgotten;

extern bool races_wanted;
bool races_wanted = true;
void races_forget(const void *at, size_t size);
void races_forget(const void *at, size_t size)
{
    (void)at;
    forgotten += size;
}

/* ---- the target ---- */

static void *(*by_constructor)(void), *(*by_new)(void), *(*by_string)(void);
static void *(*by_strdup)(void), *(*by_malloc)(size_t);
static void *(*by_realloc)(void *, size_t), *(*by_aligned)(size_t, size_t);
static void (*by_delete)(void *), (*by_free)(void *);
static int (*by_exception)(int);

static int wrong;

static void claim(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "not so: %s\n", what);
    wrong = 1;
}

static void find(void *variable, const char *name)
{
    void *const at = memory_image_symbol(name);
    claim(at, name);
    memcpy(variable, &at, sizeof at);
}

static bool load(void)
{
    char why[256];
    if (!memory_heap_init(HEAP_REUSE_AT_ONCE) ||
        !memory_image_load(TARGET, why, sizeof why))
        return false;
    find(&by_constructor, "by_constructor");
    find(&by_new, "by_new");
    find(&by_delete, "by_delete");
    find(&by_string, "by_string");
    find(&by_strdup, "by_strdup");
    find(&by_malloc, "by_malloc");
    find(&by_free, "by_free");
    find(&by_realloc, "by_realloc");
    find(&by_aligned, "by_aligned");
    find(&by_exception, "by_exception");
    return !wrong;
}

/* ---- claims ---- */

static void what_is_outside_is_libc_s(void)
{
    char *const block = malloc(10);
    claim(block && !memory_heap_has(block), "malloc outside is libc's");
    claim(malloc_usable_size(block) >= 10, "... and has a size");
    char *const grown = realloc(block, 10000);
    claim(grown && !memory_heap_has(grown), "realloc outside is libc's");
    free(grown);
    char *const aligned = aligned_alloc(64, 64);
    claim(aligned && !memory_heap_has(aligned),
          "aligned_alloc outside is libc's");
    scheduler_inside = true;
    free(aligned); /* whoever frees it */
    scheduler_inside = false;
    claim(memory_image_exceptions() &&
              !*(void **)(void *)memory_image_exceptions(),
          "no exception is being handled");
    claim(memory_heap_has(by_constructor()),
          "constructors allocate for the target");
}

static void what_is_inside_is_the_heap_s(void)
{
    scheduler_inside = true;
    char *const made = by_new(), *const string = by_string();
    char *const copy = by_strdup(), *const none = by_malloc(0);
    char *const array = calloc(3, 5), *const aligned = by_aligned(256, 3);
    const int caught = by_exception(1);
    scheduler_inside = false;
    claim(memory_heap_size(made) == 3 * sizeof(long), "operator new");
    claim(memory_heap_has(string) && string[100] == 'y', "std::string");
    claim(memory_heap_size(copy) == 5 && strcmp(copy, "text") == 0, "strdup");
    claim(memory_heap_is_block(none), "malloc(0) is a block");
    claim(memory_heap_size(array) == 15 && !array[0] && !array[14], "calloc");
    claim(memory_heap_size(aligned) == 3 && (uintptr_t)aligned % 256 == 0,
          "posix_memalign");
    claim(caught == 101, "an exception");
    scheduler_inside = true;
    char *const moved = by_realloc(strcpy(by_malloc(6), "hello"), 500);
    by_delete(made);
    scheduler_inside = false;
    claim(strcmp(moved, "hello") == 0 && memory_heap_size(moved) == 500,
          "realloc");
    claim(malloc_usable_size(moved) == 500, "malloc_usable_size");
    claim(forgotten > 500, "races forget what was there");
    claim(memory_heap_access(made, 1) == HEAP_FREED, "delete");
    free(moved); /* from outside, too */
    claim(memory_heap_access(moved, 1) == HEAP_FREED, "free from outside");
}

static void memory_ends(void)
{
    scheduler_inside = true;
    errno = 0;
    void *const huge = by_malloc((size_t)1 << 40);
    const int why = errno;
    volatile size_t many = SIZE_MAX / 2;
    void *const product = calloc(many, 4);
    scheduler_inside = false;
    claim(!huge && why == ENOMEM, "too much is refused");
    claim(!product, "calloc looks at the product");
}

static void executions_repeat(void)
{
    void *first = NULL;
    claim(memory_heap_snapshot() && memory_image_snapshot(), "a snapshot");
    for (int i = 0; i < 3; i++) {
        scheduler_inside = true;
        void *const block = by_string();
        scheduler_inside = false;
        claim(!first || first == block, "the same address again");
        first = block;
        memory_image_restore(NULL, 0);
        memory_heap_restore();
    }
}

/* by_free(block) fails and says so. */
static void fails(void *block, const char *how)
{
    failed.text[0] = 0;
    if (setjmp(failed.back) == 0) {
        scheduler_inside = true;
        by_free(block);
        scheduler_inside = false;
    }
    claim(failed.fault == FAULT_FREE && strcmp(failed.text, how) == 0, how);
}

static void bad_frees_are_told(void)
{
    scheduler_inside = true;
    char *const block = by_malloc(20);
    by_free(NULL);
    scheduler_inside = false;
    fails(block + 4, "freed a pointer into a block of 20 bytes, 4 bytes from "
                     "its start");
    by_free(block);
    fails(block, "freed twice");
    fails(block + 4, "freed a pointer that malloc() never returned");
    char *variables;
    size_t size;
    claim(memory_image_range(0, &variables, &size), "the target has variables");
    fails(variables, "freed a pointer that malloc() never returned");
}

int main(void)
{
    if (!load())
        return 2;
    what_is_outside_is_libc_s();
    what_is_inside_is_the_heap_s();
    memory_ends();
    executions_repeat();
    bad_frees_are_told();
    return wrong;
}
