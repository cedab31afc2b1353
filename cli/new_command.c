/* new_command.c - plumb new: a file to begin with. */
#include "app/console/options.h"
#include "app/console/output.h"
#include "app/objects/skeleton.h"
#include "app/toolchain/build.h"
#include "cli.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

struct new_settings {
    bool cpp;
};
#define SETTINGS struct new_settings

static const struct console_option rows[] = {
    { "cpp", 0, IN_FLAG(cpp), .help = "write it in C++" }, OPTIONS_END
};

/* What needs no quotes anywhere. */
static bool is_plain(const char *name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    return name[0] != '.' && name[0] != '-' && name[0] != '\0' &&
           name[strspn(name, plain)] == '\0';
}

/* NAME, NAME.c and, for C++, NAME.cpp all mean the same file. */
static bool name_file(const struct console_options *o, bool *cpp,
                      char path[NAME_MAX])
{
    const char *const name = o->args[0];
    const enum toolchain_file_kind kind = toolchain_kind_of_file(name);
    const char *ending = *cpp ? ".cpp" : ".c";
    if (!is_plain(name))
        return console_usage_fails(
            o,
            "%s: a NAME has only letters, digits, _, - and ., and does not "
            "begin with . or -",
            *name ? name : "\"\"");
    if (kind == FILE_C && *cpp)
        return console_usage_fails(
            o, "%s is the name of a C file, but --cpp asks for C++", name);
    if (kind == FILE_C || kind == FILE_CXX)
        ending = "";
    *cpp |= kind == FILE_CXX;
    const int size = snprintf(path, NAME_MAX, "%s%s", name, ending);
    return size < NAME_MAX || console_usage_fails(o, "the name is too long");
}

static bool write_skeleton(const char *path, bool cpp)
{
    struct console_output out;
    if (!console_output_create(&out, path))
        return false;
    fprintf(out.file,
            cpp ? "// %s - a queue under test.%s"
                : "/* %s - a queue under test. */%s",
            path, cpp ? objects_skeleton_in_cxx : objects_skeleton_in_c);
    return console_output_finish(&out, true);
}

static enum console_status make_new(const struct console_options *o,
                                    void *settings)
{
    const struct new_settings *const s = settings;
    char path[NAME_MAX];
    bool cpp = s->cpp;
    if (o->nargs != 1) {
        console_usage_fails(o, o->nargs ? "give one NAME"
                                        : "give a NAME for your object");
        return STATUS_ERROR;
    }
    if (!name_file(o, &cpp, path) || !write_skeleton(path, cpp))
        return STATUS_ERROR;
    printf("%s: a queue behind a lock, ready to be tested\n\n"
           "Try it:  plumb explore %s\n"
           "Or:      plumb simulate %s\n"
           "Then:    replace the queue by what you want to test;\n"
           "         docs/testing-an-object.md explains every line\n",
           path, path, path);
    return STATUS_HOLDS;
}

const struct console_command cli_new = {
    .name = "new",
    .summary = "write a file to start testing your own object with",
    .arguments = "NAME [options]",
    .about = "Write NAME.c, or NAME.cpp: a queue behind a lock, with all that "
             "a test of it needs.  Replace the queue by what you want to "
             "test.  A file that exists is never overwritten.",
    .examples = "  plumb new my_queue\n"
                "  plumb explore my_queue.c\n",
    .status = "  0  written\n"
              "  2  error\n",
    .options = rows,
    .settings = sizeof(SETTINGS),
    .run = make_new,
};
