/* new_command.c - plumb new: a file to begin with. */
#include "app/console/options.h"
#include "app/console/output.h"
#include "app/objects/skeleton.h"
#include "app/toolchain/build.h"
#include "cli.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { CPP = OPTION_HELP + 1 };

static const struct poptOption table[] = { { "cpp", '\0', POPT_ARG_NONE, NULL,
                                             CPP, "write it in C++", NULL },
                                           OPTIONS_END };

void cli_new_help(void)
{
    console_print_options("plumb new", "NAME", table);
    fputs("\nWrites NAME.c, or NAME.cpp: a queue behind a lock, and how to "
          "test it.\nReplace the queue by what you want to test.  A file that "
          "exists is left alone.\n\n"
          "  plumb new my_queue\n"
          "  plumb simulate -c my_queue.c -d\n\n"
          "Exit status: 0 written, 2 error.\n",
          stdout);
}

static bool take(struct console_options *o, void *context, int code,
                 const char *value)
{
    bool *const cpp = context;
    (void)o, (void)code, (void)value; /* there is only one */
    *cpp = true;
    return true;
}

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
            "%s: the name of a file here has letters, digits, "
            "_ - and . alone",
            *name ? name : "\"\"");
    if (kind == FILE_C && *cpp)
        return console_usage_fails(o, "%s: that is C, but --cpp asks for C++",
                                   name);
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

static bool make_new(const struct console_options *o, bool cpp)
{
    char path[NAME_MAX];
    if (o->nargs != 1)
        return console_usage_fails(o, o->nargs == 0
                                          ? "give the name of your object"
                                          : "give one name");
    if (!name_file(o, &cpp, path) || !write_skeleton(path, cpp))
        return false;
    printf("%s: a queue behind a lock, and how to test it\n\n"
           "try it:    plumb explore %s\n"
           "or:        plumb simulate -c %s -d\n"
           "then:      replace the queue by what you want to test; "
           "docs/testing-an-object.md\n"
           "           explains every line\n",
           path, path, path);
    return true;
}

enum console_status cli_new_command(int argc, const char **argv)
{
    struct console_options o = { .command = "plumb new", .table = table };
    bool cpp = false;
    enum console_status status = STATUS_ERROR;
    if (console_read_options(&o, argc, argv, take, &cpp)) {
        if (o.help)
            cli_new_help();
        if (o.help || make_new(&o, cpp))
            status = STATUS_HOLDS;
    }
    console_release_options(&o);
    return status;
}
