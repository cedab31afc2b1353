/* init_command.c - plumb init: a harness, a test and a job for CI, in a project
 * that has none. */
#include "app/console/output.h"
#include "app/console/say.h"
#include "app/objects/skeleton.h"
#include "cli.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct init_settings {
    bool cpp;
};
#define SETTINGS struct init_settings

static const struct console_option rows[] = {
    { "cpp", 0, IN_FLAG(cpp), .help = "write the harness in C++" }, OPTIONS_END
};

static const char cmake_test[] =
    "# plumb.cmake - tests that explore every schedule of small tests; write\n"
    "# include(plumb.cmake) behind enable_testing() in CMakeLists.txt.\n"
    "find_package(plumb 0.2 REQUIRED)\n"
    "plumb_add_test(queue SOURCES %s)\n";

static const char make_test[] =
    "# plumb.mk - tests that explore every schedule of small tests:\n"
    "# make -f plumb.mk, or write include plumb.mk into your Makefile.\n"
    "PLUMB ?= plumb\n"
    "\n"
    "plumb-test:\n"
    "\t$(PLUMB) explore %s\n"
    "\n"
    ".PHONY: plumb-test\n";

static const char ci_job[] =
    "# Explore on every push; a failure leaves a report and its schedule.\n"
    "name: plumb\n"
    "on: [push, pull_request]\n"
    "jobs:\n"
    "  explore:\n"
    "    runs-on: ubuntu-latest\n"
    "    steps:\n"
    "      - uses: actions/checkout@v4\n"
    "      # install plumb here: from its sources, or from your package\n"
    "      - run: plumb doctor\n"
    "      - run: plumb explore %s --annotations github --report plumb.html\n"
    "      - uses: actions/upload-artifact@v4\n"
    "        if: failure()\n"
    "        with:\n"
    "          name: plumb\n"
    "          include-hidden-files: true\n"
    "          path: |\n"
    "            plumb.html\n"
    "            .plumb/*.schedule\n";

/* A text of ours, in which %s stands for a name. */
static void fill_in(const char *text, const char *name, FILE *to)
{
    for (const char *at = text; *at; at++) {
        if (strncmp(at, "%s", 2) != 0) {
            fputc(*at, to);
            continue;
        }
        fputs(name, to);
        at++;
    }
}

/* A new file; one that exists stays as it is. */
static bool write_file(const char *path, const char *format, const char *first,
                       const char *second)
{
    struct console_output out;
    struct stat about;
    if (lstat(path, &about) == 0) {
        printf("kept   %s\n", path);
        return true;
    }
    if (!console_output_create(&out, path))
        return false;
    if (second)
        fprintf(out.file, "%s%s%s", format, first, second);
    else
        fill_in(format, first, out.file);
    if (!console_output_finish(&out, true))
        return false;
    printf("wrote  %s\n", path);
    return true;
}

static bool make_directory(const char *path)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST ||
           console_fails("%s: cannot make it: %s", path, console_reason());
}

static enum console_status init(const struct console_options *o, void *settings)
{
    const struct init_settings *const s = settings;
    const char *const harness = s->cpp ? "test_queue.cpp" : "test_queue.c";
    const bool cmake = access("CMakeLists.txt", F_OK) == 0;
    if (o->nargs) {
        console_usage_fails(o, "there are no arguments; the project is in the "
                               "working directory");
        return STATUS_ERROR;
    }
    const bool written =
        write_file(harness,
                   s->cpp ? "// test_queue.cpp - a queue under test."
                          : "/* test_queue.c - a queue under test. */",
                   "",
                   s->cpp ? objects_skeleton_in_cxx : objects_skeleton_in_c) &&
        write_file(cmake ? "plumb.cmake" : "plumb.mk",
                   cmake ? cmake_test : make_test, harness, NULL) &&
        make_directory(".github") && make_directory(".github/workflows") &&
        write_file(".github/workflows/plumb.yml", ci_job, harness, NULL);
    if (!written)
        return STATUS_ERROR;
    printf("\nTry it:  plumb explore %s\n"
           "Then:    replace the queue by what you want to test, and %s\n",
           harness,
           cmake ? "write include(plumb.cmake) into CMakeLists.txt"
                 : "run make -f plumb.mk");
    return STATUS_HOLDS;
}

const struct console_command cli_init = {
    .name = "init",
    .summary = "add a harness, a test and a job for CI to a project",
    .arguments = "[options]",
    .about = "Write into the working directory a harness of a queue, as `plumb "
             "new` does, a test that explores it, for CMake if there is a "
             "CMakeLists.txt and otherwise for make, and a job for GitHub.  A "
             "file that exists is never overwritten.",
    .examples = "  plumb init\n",
    .status = "  0  written, or there already\n"
              "  2  error\n",
    .options = rows,
    .settings = sizeof(SETTINGS),
    .run = init,
};
