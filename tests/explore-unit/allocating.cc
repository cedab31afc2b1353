/* allocating.cc - a target that allocates in every way, for malloc_shim.c. */
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <map>
#include <string>
#include <vector>

static std::map<int, int> made_by_constructor = { { 1, 2 }, { 3, 4 } };

extern "C" {

void *by_constructor()
{
    return &*made_by_constructor.begin();
}

void *by_new()
{
    return new long[3];
}

void by_delete(void *block)
{
    delete[] static_cast<long *>(block);
}

/* Grown in libstdc++, which has this instance compiled. */
void *by_string()
{
    static std::string text;
    text = "x";
    text.append(100, 'y');
    return &text[0];
}

void *by_strdup()
{
    return strdup("text");
}

void *by_malloc(size_t size)
{
    return malloc(size);
}

void by_free(void *block)
{
    free(block);
}

void *by_realloc(void *block, size_t size)
{
    return realloc(block, size);
}

void *by_aligned(size_t alignment, size_t size)
{
    void *block = nullptr;
    return posix_memalign(&block, alignment, size) ? nullptr : block;
}

int by_exception(int n)
{
    try {
        throw std::string(100, 'e');
    } catch (const std::string &e) {
        return n + static_cast<int>(e.size());
    }
}
}
