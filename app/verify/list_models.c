/* list_models.c - the models that come with the program.
 *
 * The first line of each says what it is, and tests/models/run.sh that it is
 * so:
 *
 *     // VERDICT, N pairs: what it is */
#include "list_models.h"

#include "app/console/install_paths.h"
#include "app/console/paragraph.h"
#include "app/console/say.h"
#include "app/console/suggest.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char ending[] = ".csp";

static size_t stem_of(const char *file)
{
    const size_t size = strlen(file), end = strlen(ending);
    return size > end && strcmp(file + size - end, ending) == 0 ? size - end
                                                                : 0;
}

static int is_model(const struct dirent *d)
{
    return d->d_name[0] != '.' && stem_of(d->d_name) > 0;
}

/* stack before stack-points. */
static int by_stem(const struct dirent **a, const struct dirent **b)
{
    const size_t m = stem_of((*a)->d_name), n = stem_of((*b)->d_name);
    const int order = memcmp((*a)->d_name, (*b)->d_name, m < n ? m : n);
    return order ? order : (m > n) - (m < n);
}

/* "// holds, 12 pairs: a stack": the verdict is `holds`, the rest `a stack`. */
static void print_model(const char *name, char *line)
{
    char *verdict = line + strspn(line, "/ ");
    char *const about = strchr(verdict, ':');
    line[strcspn(line, "\n")] = '\0';
    if (!about) {
        printf("%.*s\n", (int)stem_of(name), name);
        return;
    }
    verdict[strcspn(verdict, ",:")] = '\0';
    struct console_paragraph p;
    p.column =
        (size_t)printf("%-17.*s  %-8s  ", (int)stem_of(name), name, verdict);
    p.indent = p.column;
    console_paragraph_text(&p, about + 1 + strspn(about + 1, " "));
    console_paragraph_end(&p);
}

static bool list_model(const char *directory, const char *name)
{
    char path[PATH_MAX], line[512] = "";
    if (snprintf(path, sizeof path, "%s/%s", directory, name) >= PATH_MAX)
        return false;
    FILE *const file = fopen(path, "r");
    if (!file) {
        console_say("%s: cannot read it: %s", path, console_reason());
        return false;
    }
    if (fgets(line, sizeof line, file))
        print_model(name, line);
    fclose(file);
    return true;
}

bool verify_list_models(void)
{
    char path[PATH_MAX];
    const char *const directory = console_install_paths_models(path);
    struct dirent **file = NULL;
    const int count = scandir(directory, &file, is_model, by_stem);
    bool well = count >= 0;
    if (!well)
        console_say("%s: cannot read it: %s", directory, console_reason());
    for (int i = 0; i < count; i++) {
        well = well && list_model(directory, file[i]->d_name);
        free(file[i]);
    }
    free(file);
    return well;
}

/* A directory of that name is not meant. */
static bool is_there(const char *name)
{
    struct stat s;
    return stat(name, &s) == 0 && !S_ISDIR(s.st_mode);
}

const char *verify_model_path(const char *name, char path[PATH_MAX])
{
    char directory[PATH_MAX];
    if (strchr(name, '/') || strcmp(name, "-") == 0 || is_there(name))
        return name;
    const int size = snprintf(path, PATH_MAX, "%s/%s%s",
                              console_install_paths_models(directory), name,
                              stem_of(name) ? "" : ending);
    return size < PATH_MAX && is_there(path) ? path : name;
}

void verify_each_model(void (*take)(void *context, const char *name),
                       void *context)
{
    char path[PATH_MAX];
    struct dirent **file = NULL;
    const int count =
        scandir(console_install_paths_models(path), &file, is_model, by_stem);
    for (int i = 0; i < count; i++) {
        file[i]->d_name[stem_of(file[i]->d_name)] = '\0';
        take(context, file[i]->d_name);
        free(file[i]);
    }
    free(file);
}

/* A suggestion keeps no copy of what it is offered. */
struct nearest {
    struct console_suggestion s;
    char *name;
};

static void consider(void *context, const char *name)
{
    struct nearest *const n = context;
    n->s.best = NULL;
    console_suggestion_offer(&n->s, name);
    if (n->s.best)
        snprintf(n->name, NAME_MAX + 1, "%s", name);
}

const char *verify_model_nearest(const char *name, char nearest[NAME_MAX + 1])
{
    struct nearest n = { .name = nearest };
    nearest[0] = '\0';
    console_suggestion_begin(&n.s, name);
    verify_each_model(consider, &n);
    return nearest[0] ? nearest : NULL;
}
