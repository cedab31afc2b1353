/* unseen.c - functions that write into memory which the target gave them, and
 * tell nobody.
 *
 * The target may call them, as they keep nothing (stateless.c); but if another
 * thread uses that memory at the same time, neither a race nor a use of freed
 * memory is noticed, and no other thread ever runs in their midst.  Functions
 * that only read, and such that write into what is nearly always the caller's
 * own (strtol, frexp), are not worth a warning. */
#include "imports.h"

#include <string.h>

/* Names with a space on both sides of each. */
static const char writing[] =
    " bcopy bzero explicit_bzero memccpy memcpy memfrob memmove mempcpy memset "
    "stpcpy stpncpy strcat strcpy strlcat strlcpy strncat strncpy strsep "
    "strtok_r strxfrm swab insque qsort qsort_r remque tdelete tsearch "
    "mbsnrtowcs mbsrtowcs mbstowcs wcpcpy wcpncpy wcscat wcscpy wcsncat "
    "wcsncpy wcsnrtombs wcsrtombs wcstok wcstombs wmemcpy wmemmove wmempcpy "
    "wmemset snprintf sprintf sscanf swprintf swscanf vsnprintf vsprintf "
    "vsscanf vswprintf ";

/* Of C++: a part of the name, and what people call it. */
static const struct {
    const char *part, *name;
} parts[] = {
    { "stringstream", "std::stringstream" },
    { "stringbuf", "std::stringstream" },
    { "12basic_string", "std::string" },
    { "_Rb_tree_", "std::map" }, /* and std::set */
    { "_List_node_base", "std::list" },
    { "_Prime_rehash_policy", "std::unordered_map" },
    { "to_chars", "std::to_chars" },
};

/* __strcpy_chk, __isoc99_sscanf and __mempcpy are what they are made from. */
static size_t plain_name(const char **name)
{
    static const char *const prefixes[] = { "__isoc99_", "__isoc23_", "__" };
    static const char suffix[] = "_chk";
    const size_t end = sizeof suffix - 1;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(*name, prefixes[i], strlen(prefixes[i])) == 0) {
            *name += strlen(prefixes[i]);
            break;
        }
    const size_t length = strlen(*name);
    return length > end && strcmp(*name + length - end, suffix) == 0
               ? length - end
               : length;
}

static const char *in_cpp(const char *name, size_t *length)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(name, parts[i].part)) {
            *length = strlen(parts[i].name);
            return parts[i].name;
        }
    return NULL;
}

const char *target_writes_unseen(const char *name, size_t *length)
{
    if (strncmp(name, "_Z", 2) == 0)
        return in_cpp(name, length);
    *length = plain_name(&name);
    for (const char *at = writing; *length && (at = strchr(at, ' ')); at++)
        if (strncmp(at + 1, name, *length) == 0 && at[1 + *length] == ' ')
            return name;
    return NULL;
}
