/* config_file.c - options from a file: finding it, and reading it. */
#include "config_file.h"

#include "say.h"
#include "suggest.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <plumb/spec.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char name[] = "plumb.toml";
enum { LINE = 1024 };

bool console_config_take(const struct console_options *o,
                         const struct console_option *row, const char *value,
                         void *settings)
{
    (void)o, (void)row, (void)value, (void)settings;
    return true;
}

/* ---- where it is ---- */

/* The object, or whatever is named first. */
static const char *subject_of(const struct console_options *o)
{
    for (const struct console_option *r = o->command->options; r->name; r++) {
        const char *const object =
            r->to.kind == OPTION_OBJECT
                ? *(const char *const *)((const char *)o->settings + r->to.at)
                : NULL;
        if (object)
            return object;
    }
    return o->nargs ? o->args[0] : ".";
}

/* The directory of a file, or the working directory. */
static bool find_start(const struct console_options *o, char path[PATH_MAX])
{
    struct stat about;
    const char *const subject = subject_of(o);
    if (stat(subject, &about) != 0 || !realpath(subject, path))
        return realpath(".", path);
    if (!S_ISDIR(about.st_mode))
        *strrchr(path, '/') = '\0';
    return true;
}

static bool has(const char *directory, const char *file, char path[PATH_MAX])
{
    const int length = snprintf(path, PATH_MAX, "%s/%s", directory, file);
    return length < PATH_MAX && access(path, F_OK) == 0;
}

/* Above the first directory only if that is in a repository. */
static bool find_file(const struct console_options *o, char path[PATH_MAX])
{
    char start[PATH_MAX], at[PATH_MAX];
    bool inside = false;
    if (!find_start(o, start))
        return false;
    if (has(start, name, path))
        return true;
    memcpy(at, start, sizeof at);
    for (;;) {
        inside = has(at, ".git", path);
        char *const slash = strrchr(at, '/');
        if (inside || !slash)
            break;
        *slash = '\0';
    }
    if (!inside)
        return false;
    for (size_t root = strlen(at); strlen(start) > root;) {
        *strrchr(start, '/') = '\0';
        if (has(start, name, path))
            return true;
    }
    return false;
}

/* ---- what is in it ---- */

struct reading {
    struct console_options *o;
    console_config_set *set;
    const char *path;
    unsigned line;
    bool in_table;
    bool ours; /* the table of this command */
};

static bool fails(const struct reading *r, const char *from, const char *at,
                  const char *message)
{
    return console_fails("%s:%u:%d: %s", r->path, r->line, (int)(at - from) + 1,
                         message);
}

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t");
}

static bool is_end(const char *at)
{
    return *at == '\0' || *at == '#';
}

/* A table that nothing reads is a mistake: its options would be lost. */
static bool is_known_table(const struct reading *r, const char *line,
                           const char *at, const char *table)
{
    static const char *const known[] = { "explore", "check",  "simulate",
                                         "monitor", "verify", "replay" };
    char message[LINE + 128];
    struct console_suggestion s;
    console_suggestion_begin(&s, table);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i], table) == 0)
            return true;
        console_suggestion_offer(&s, known[i]);
    }
    const char *const near = console_suggestion_end(&s);
    snprintf(message, sizeof message,
             "no command `%s` takes options from here%s%s%s", table,
             near ? "; did you mean `" : "", near ? near : "",
             near ? "`?" : "");
    return fails(r, line, at, message);
}

/* [explore] */
static bool read_table(struct reading *r, const char *line, const char *at)
{
    char table[LINE];
    const size_t size = strspn(++at, "abcdefghijklmnopqrstuvwxyz+-");
    if (!size || at[size] != ']' || !is_end(skip_blanks(at + size + 1)))
        return fails(r, line, at, "expected the name of a command and `]`");
    memcpy(table, at, size);
    table[size] = '\0';
    r->in_table = true;
    r->ours = strcmp(r->o->command->name, table) == 0;
    return is_known_table(r, line, at, table);
}

/* "text", with \" and \\ in it; a number, true or false.  Where it ends. */
static const char *read_value(const char *at, char value[LINE])
{
    size_t n = 0;
    if (*at != '"') {
        n = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                       "0123456789+-._");
        memcpy(value, at, n);
        value[n] = '\0';
        return n ? at + n : NULL;
    }
    for (at++; *at && *at != '"'; at++) {
        if (*at == '\\' && *++at != '"' && *at != '\\')
            return NULL;
        value[n++] = *at;
    }
    value[n] = '\0';
    return *at ? at + 1 : NULL;
}

/* Words for compilers are no options. */
static bool may_be_set(const struct console_option *row)
{
    return row->name[0] && row->to.kind != OPTION_REST &&
           strcmp(row->name, "help") != 0 &&
           strcmp(row->name, "no-config") != 0;
}

static const struct console_option *find_row(const struct reading *r,
                                             const char *key)
{
    const struct console_option *row = r->o->command->options;
    while (row->name && (strcmp(row->name, key) != 0 || !may_be_set(row)))
        row++;
    return row->name ? row : NULL;
}

static bool is_unknown(const struct reading *r, const char *line,
                       const char *at, const char *key)
{
    char message[LINE + 128];
    struct console_suggestion s;
    console_suggestion_begin(&s, key);
    for (const struct console_option *o = r->o->command->options; o->name; o++)
        if (may_be_set(o))
            console_suggestion_offer(&s, o->name);
    const char *const near = console_suggestion_end(&s);
    snprintf(message, sizeof message, "no option `%s` of plumb %s here%s%s%s",
             key, r->o->command->name, near ? "; did you mean `" : "",
             near ? near : "", near ? "`?" : "");
    return fails(r, line, at, message);
}

/* What would compile and run a file, or replace one, only the command line may
 * say: somebody else may have written plumb.toml. */
static bool is_for_the_command_line(const struct console_option *row,
                                    const char *value)
{
    struct plumb_error err;
    struct plumb_spec *spec;
    if (row->to.kind == OPTION_OBJECT || strcmp(row->name, "golden") == 0 ||
        strcmp(row->name, "record") == 0)
        return true;
    if (row->to.kind != OPTION_SPEC || strcmp(value, "infer") == 0)
        return false;
    if (plumb_spec_parse(value, &spec, &err) != PLUMB_OK)
        return true;
    plumb_spec_free(spec);
    return false;
}

/* Flags are true or false; everything else is as on the command line. */
static bool set_option(const struct reading *r, const char *line,
                       const char *at, const struct console_option *row,
                       const char *value)
{
    if (console_given(r->o, row->name))
        return true;
    if (is_for_the_command_line(row, value))
        return fails(r, line, at,
                     row->to.kind == OPTION_SPEC
                         ? "only a built-in specification can be named here; "
                           "give others on the command line"
                         : "this option works on the command line only");
    if (row->argument)
        return r->set(r->o, row, value) ||
               fails(r, line, at, "this option is wrong");
    if (strcmp(value, "false") == 0)
        return true;
    if (strcmp(value, "true") != 0)
        return fails(r, line, at, "expected true or false");
    return r->set(r->o, row, "");
}

/* name = value */
static bool read_option(struct reading *r, const char *line, const char *at)
{
    char key[LINE], value[LINE];
    const char *const begin = at;
    const size_t size = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789-");
    memcpy(key, at, size);
    key[size] = '\0';
    at = skip_blanks(at + size);
    if (!size || *at != '=')
        return fails(r, line, at, "expected `option = value` or `[command]`");
    const char *const from = skip_blanks(at + 1);
    const char *const end = read_value(from, value);
    if (!end || !is_end(skip_blanks(end)))
        return fails(r, line, from,
                     "expected one value: \"text\", a number, true or false");
    if (!r->in_table)
        return fails(r, line, begin,
                     "expected the command first that this option is for, "
                     "such as `[explore]`");
    if (!r->ours)
        return true;
    const struct console_option *const row = find_row(r, key);
    return row ? set_option(r, line, from, row, value)
               : is_unknown(r, line, begin, key);
}

static bool read_line(struct reading *r, char line[LINE])
{
    const size_t length = strlen(line);
    if (length == LINE - 1 && line[length - 1] != '\n')
        return fails(r, line, line, "this line is too long");
    line[strcspn(line, "\r\n")] = '\0';
    const char *const at = skip_blanks(line);
    return is_end(at) ||
           (*at == '[' ? read_table(r, line, at) : read_option(r, line, at));
}

static bool read_file(struct reading *r)
{
    char line[LINE];
    struct stat about;
    bool good = true;
    const int fd = open(r->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    FILE *const file = fd < 0 ? NULL : fdopen(fd, "r");
    if (!file || fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) {
        const char *const why = file ? "not a file" : console_reason();
        if (file)
            fclose(file);
        return console_fails("%s: cannot read it: %s", r->path, why);
    }
    console_note("options from %s", r->path);
    while (good && fgets(line, sizeof line, file)) {
        r->line++;
        good = read_line(r, line);
    }
    fclose(file);
    return good;
}

/* From the working directory if it is in there. */
static const char *shown(const char *path)
{
    char here[PATH_MAX];
    const size_t size = getcwd(here, sizeof here) ? strlen(here) : 0;
    return size && strncmp(path, here, size) == 0 && path[size] == '/'
               ? path + size + 1
               : path;
}

bool console_config_read(struct console_options *o, console_config_set *set)
{
    char path[PATH_MAX];
    const struct console_option *row = o->command->options;
    while (row->name && strcmp(row->name, "no-config") != 0)
        row++;
    if (!row->name || console_given(o, "no-config") || !find_file(o, path))
        return true;
    struct reading r = { .o = o, .set = set, .path = shown(path) };
    return read_file(&r);
}
