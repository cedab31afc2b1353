/* output.c - see output.h. */
#include "output.h"

#include "say.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has_no_content(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 && !S_ISREG(file.st_mode) &&
           !S_ISDIR(file.st_mode) && !S_ISBLK(file.st_mode);
}

static int create(struct console_output *out, const char *path)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    out->is_passing = fd < 0 && errno == EEXIST && has_no_content(path);
    return out->is_passing ? open(path, O_WRONLY | O_CLOEXEC) : fd;
}

bool console_output_create(struct console_output *out, const char *path)
{
    *out = (struct console_output){ .name = path };
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0) {
        *out = (struct console_output){ .name = "(stdout)",
                                        .file = stdout,
                                        .is_stdout = true };
        return true;
    }
    const int fd = create(out, path);
    if (fd < 0 && errno == EEXIST)
        console_say("%s: file exists and was not overwritten; remove it or "
                    "name another file",
                    path);
    else if (fd < 0)
        console_say("%s: cannot create it: %s", path, console_reason());
    if (fd < 0)
        return false;
    out->file = fdopen(fd, "w");
    if (out->file)
        return true;
    console_say("%s: cannot open it: %s", path, console_reason());
    close(fd);
    if (!out->is_passing)
        unlink(path);
    return false;
}

static bool write_failed(struct console_output *out)
{
    if (!out->failed && !out->is_stdout)
        console_say("%s: cannot write it: %s", out->name, console_reason());
    else if (!out->failed)
        console_flush_results(); /* says why, unless it is a closed pipe */
    out->failed = true;
    return false;
}

static int write_bytes(void *context, const void *data, size_t size)
{
    struct console_output *const out = context;
    if (plumb_budget_state(out->budget) == PLUMB_ESTOP)
        return -1;
    if (fwrite(data, 1, size, out->file) == size)
        return 0;
    write_failed(out);
    return -1;
}

struct plumb_sink console_output_sink(struct console_output *out)
{
    return (struct plumb_sink){ write_bytes, out };
}

bool console_output_finish(struct console_output *out, bool keep)
{
    if (out->is_stdout)
        return !out->failed && console_flush_results();
    const bool broken = ferror(out->file);
    if (fclose(out->file) != 0 || broken)
        write_failed(out);
    if ((out->failed || !keep) && !out->is_passing)
        unlink(out->name);
    return !out->failed;
}
