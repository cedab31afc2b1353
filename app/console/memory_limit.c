/* memory_limit.c - see memory_limit.h. */
#include "memory_limit.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* Of what is free.  The rest is for what no budget counts, and for others. */
enum { PERCENT = 85 };

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t without(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

static FILE *open_below(const char *root, const char *folder, const char *file)
{
    char path[PATH_MAX];
    const int size = snprintf(path, sizeof path, "%s%s/%s", root, folder, file);
    return size > 0 && size < PATH_MAX ? fopen(path, "re") : NULL;
}

/* The number behind a word at the beginning of a line. */
static bool read_field(FILE *in, const char *word, uint64_t *number)
{
    char line[256];
    const size_t length = strlen(word);
    while (fgets(line, sizeof line, in))
        if (strncmp(line, word, length) == 0 &&
            sscanf(line + length, "%" SCNu64, number) == 1)
            return true;
    return false;
}

/* ---- the machine ---- */

static uint64_t free_of_machine(const char *root)
{
    uint64_t kilobytes = 0;
    FILE *const in = open_below(root, "/proc", "meminfo");
    const bool known = in && read_field(in, "MemAvailable:", &kilobytes);
    if (in)
        fclose(in);
    return known ? kilobytes * 1024 : UINT64_MAX;
}

/* ---- control groups ---- */

/* The names of one group's files; they differ between the two versions. */
struct files {
    const char *mount, *limit, *used, *cached;
};

static const struct files version[] = {
    { "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
      "total_inactive_file " },
    { "/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file " },
};

/* "max" is no number. */
static uint64_t read_number(const char *root, const char *folder,
                            const char *file, uint64_t otherwise)
{
    uint64_t number;
    FILE *const in = open_below(root, folder, file);
    const bool known = in && fscanf(in, "%" SCNu64, &number) == 1;
    if (in)
        fclose(in);
    return known ? number : otherwise;
}

/* What was read from files and can be read again is as good as free. */
static uint64_t cached_in(const char *root, const char *folder,
                          const char *word)
{
    uint64_t number = 0;
    FILE *const in = open_below(root, folder, "memory.stat");
    if (in) {
        read_field(in, word, &number);
        fclose(in);
    }
    return number;
}

static uint64_t free_of_group(const char *root, const char *folder,
                              const struct files *f)
{
    const uint64_t limit = read_number(root, folder, f->limit, UINT64_MAX);
    const uint64_t used = read_number(root, folder, f->used, 0);
    return limit == UINT64_MAX
               ? limit
               : without(limit,
                         without(used, cached_in(root, folder, f->cached)));
}

/* Of a group and of all that it is part of. */
static uint64_t free_of_groups(const char *root, const char *group,
                               const struct files *f)
{
    char folder[PATH_MAX];
    uint64_t least = UINT64_MAX;
    const size_t top = strlen(f->mount);
    snprintf(folder, sizeof folder, "%s%s", f->mount, group);
    for (;;) {
        least = smaller(least, free_of_group(root, folder, f));
        char *const slash = strrchr(folder, '/');
        if (!slash || (size_t)(slash - folder) < top)
            return least;
        *slash = '\0';
    }
}

/* "4:memory:/user.slice", or "0::/user.slice" of the second version. */
static uint64_t free_of_line(const char *root, char *line)
{
    line[strcspn(line, "\n")] = '\0';
    char *const names = strchr(line, ':');
    char *const group = names ? strchr(names + 1, ':') : NULL;
    if (!group)
        return UINT64_MAX;
    *group = '\0';
    if (strcmp(names + 1, "memory") == 0)
        return free_of_groups(root, group + 1, &version[0]);
    return names[1] ? UINT64_MAX : free_of_groups(root, group + 1, &version[1]);
}

static uint64_t free_of_all_groups(const char *root)
{
    char line[PATH_MAX];
    uint64_t least = UINT64_MAX;
    FILE *const in = open_below(root, "/proc/self", "cgroup");
    while (in && fgets(line, sizeof line, in))
        least = smaller(least, free_of_line(root, line));
    if (in)
        fclose(in);
    return least;
}

uint64_t console_memory_free_below(const char *root)
{
    return smaller(free_of_machine(root), free_of_all_groups(root));
}

/* ---- together ---- */

static uint64_t resource_limit(void)
{
    static const int resources[] = { RLIMIT_AS, RLIMIT_DATA };
    struct rlimit r;
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < sizeof resources / sizeof *resources; i++)
        if (getrlimit((__rlimit_resource_t)resources[i], &r) == 0 &&
            r.rlim_cur != RLIM_INFINITY)
            least = smaller(least, r.rlim_cur);
    return least;
}

size_t console_memory_limit(size_t given)
{
    if (given)
        return given;
    const uint64_t least =
        smaller(console_memory_free_below(""), resource_limit());
    return least == UINT64_MAX ? 0 : (size_t)(least / 100 * PERCENT);
}
