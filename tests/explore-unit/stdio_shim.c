/* stdio_shim.c - a program with printf() in front of libc's, as the host is.
 *
 * By itself, as tests print.  Says what is wrong on stderr, and is silent if
 * nothing is. */
#include "fake_hooks.h"
#include "fake_stage.h"
#include "runtime/explore/memory/image.h"
#include "runtime/explore/shims/output_capture.h"

#include <stdlib.h>
#include <string.h>

static int wrong;
static char buffer[400];
static uint32_t used;

static void claim(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "not so: %s\n", what);
    wrong = 1;
}

/* Of the target, run inside. */
static void run(const char *name)
{
    void (*function)(void);
    void *const at = memory_image_symbol(name);
    claim(at, name);
    memcpy(&function, &at, sizeof at);
    used = 0;
    scheduler_inside = true;
    function();
    scheduler_inside = false;
}

static void run_with(const char *name, FILE *stream)
{
    void (*function)(FILE *);
    void *const at = memory_image_symbol(name);
    memcpy(&function, &at, sizeof at);
    scheduler_inside = true;
    function(stream);
    scheduler_inside = false;
}

static bool printed(const char *text)
{
    return used == strlen(text) && memcmp(buffer, text, used) == 0;
}

static void everything_printed_is_kept(void)
{
    run("chat");
    claim(printed("a1 b2 c3.0 c3.0 d\nefghijkl\nm: No such file or directory\n"
                  "nop"),
          "all kinds of printing are kept");
    run("chat_checked");
    claim(printed("r-s"), "those that are checked, too");
}

static void what_does_not_fit_is_lost(void)
{
    memset(buffer, '.', sizeof buffer);
    shims_output_begin(buffer, sizeof buffer - 1, &used);
    run("print_long");
    claim(used <= sizeof buffer - 1, "no more than fits");
    claim(used >= sizeof buffer - 2, "as much as fits");
    claim(buffer[sizeof buffer - 1] == '.', "nothing behind it");
    used = UINT32_MAX;
    shims_output_write("x", 1);
    claim(used == UINT32_MAX, "a count that is wrong is not believed");
    shims_output_begin(NULL, 0, NULL);
    run("print_long"); /* nowhere */
}

static void other_streams_are_refused(void)
{
    FILE *const other = fopen("/dev/null", "w");
    claim(other, "/dev/null");
    if (setjmp(failed.back) == 0)
        run_with("print_to", other);
    claim(failed.fault == FAULT_UNMODELLED &&
              strcmp(failed.text,
                     "fprintf() to a stream other than stdout and stderr") == 0,
          "another stream is refused");
    fclose(other);
}

/* What we print ourselves goes where it should. */
static void outside_is_libc_s(void)
{
    char text[100] = "";
    FILE *const file = tmpfile();
    claim(file, "a file");
    fprintf(file, "%d ", 1);
    fputs("2 ", file);
    fputc('3', file);
    putc(' ', file);
    fwrite("45", 1, 2, file);
    fflush(file);
    dprintf(fileno(file), "%s", " 6");
    rewind(file);
    const size_t size = fread(text, 1, sizeof text - 1, file);
    claim(size == 10 && strcmp(text, "1 2 3 45 6") == 0, "libc prints");
    fclose(file);
}

int main(void)
{
    char why[256];
    if (!memory_image_load(TARGET, why, sizeof why)) {
        fprintf(stderr, "%s\n", why);
        return 2;
    }
    shims_output_begin(buffer, sizeof buffer, &used);
    everything_printed_is_kept();
    what_does_not_fit_is_lost();
    other_streams_are_refused();
    outside_is_libc_s();
    return wrong;
}
