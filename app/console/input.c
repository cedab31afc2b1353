/* input.c - a file's bytes: mapped, or read whole where that cannot be.
 *
 * What is not a regular file (standard input, pipes, process substitutions)
 * may take its time; the budget's clock and Ctrl-C hold while we wait. */
#include "input.h"

#include "base/fail.h"
#include "base/memory.h"
#include "history/recording/recording.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WAIT_MILLISECONDS = 50 };

static enum plumb_status cannot_read(struct plumb_error *err)
{
    return plumb_base_fail(err, PLUMB_EIO, 0, 0, "cannot read it: %s",
                           strerror(errno));
}

static enum plumb_status map_whole(struct console_input *in, int fd,
                                   size_t size, struct plumb_error *err)
{
    if (size == 0)
        return PLUMB_OK;
    void *const map = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (map == MAP_FAILED)
        return cannot_read(err);
    in->data = map;
    in->size = in->mapped = size;
    return PLUMB_OK;
}

static enum plumb_status wait_for_bytes(const struct console_input *in, int fd)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };
    enum plumb_status status = PLUMB_OK;
    while (status == PLUMB_OK && poll(&p, 1, WAIT_MILLISECONDS) == 0)
        status = plumb_budget_state(in->budget);
    return status == PLUMB_OK ? plumb_budget_state(in->budget) : status;
}

static enum plumb_status read_whole(struct console_input *in, int fd,
                                    struct plumb_error *err)
{
    for (;;) {
        union {
            const char *read;
            char *write;
        } block = { in->data };
        const enum plumb_status status = wait_for_bytes(in, fd);
        if (status != PLUMB_OK)
            return status;
        if (!PLUMB_GROW(in->budget, block.write, in->capacity,
                        in->size + 65536))
            return PLUMB_EMEMORY;
        in->data = block.read;
        const ssize_t got =
            read(fd, block.write + in->size, in->capacity - in->size);
        if (got == 0)
            return PLUMB_OK;
        if (got > 0)
            in->size += (size_t)got;
        else if (errno != EINTR && errno != EAGAIN)
            return cannot_read(err);
    }
}

static enum plumb_status open_descriptor(struct console_input *in, int fd,
                                         struct plumb_error *err)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return cannot_read(err);
    if (S_ISDIR(st.st_mode)) {
        errno = EISDIR;
        return cannot_read(err);
    }
    if (S_ISREG(st.st_mode) && lseek(fd, 0, SEEK_CUR) == 0) {
        in->whole =
            plumb_history_recording_is_whole(fd); /* now, not after that */
        return map_whole(in, fd, (size_t)st.st_size, err);
    }
    return read_whole(in, fd, err);
}

const char *console_input_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "(stdin)" : path;
}

enum plumb_status console_input_open(struct console_input *in, const char *path,
                                     struct plumb_budget *budget,
                                     struct plumb_error *err)
{
    const bool is_stdin = strcmp(path, "-") == 0;
    *in = (struct console_input){ .name = console_input_name(path),
                                  .budget = budget };
    /* Not blocking: a pipe that nobody writes to is waited for by poll. */
    const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;
    const int fd = is_stdin ? STDIN_FILENO : open(path, flags);
    if (fd < 0)
        return cannot_read(err);
    const enum plumb_status status = open_descriptor(in, fd, err);
    if (!is_stdin)
        close(fd);
    if (status != PLUMB_OK)
        console_input_close(in);
    return status;
}

enum plumb_status console_fail_no_history(struct plumb_error *err)
{
    return plumb_base_fail(err, PLUMB_EINPUT, 0, 0, "contains no history");
}

static bool is_blank(const struct console_input *in)
{
    size_t i = 0;
    while (i < in->size && isspace((unsigned char)in->data[i]))
        i++;
    return i == in->size;
}

enum plumb_status console_input_reader(const struct console_input *in,
                                       enum plumb_format format,
                                       enum plumb_tie_rule ties,
                                       struct plumb_reader **reader,
                                       struct plumb_error *err)
{
    if (is_blank(in)) /* has no format that could be detected */
        return console_fail_no_history(err);
    const enum plumb_status status = plumb_reader_open(
        reader, in->data, in->size, format, ties, in->budget, err);
    if (status == PLUMB_OK && in->whole)
        plumb_reader_is_whole(*reader);
    return status;
}

enum plumb_status console_input_next(struct plumb_reader *reader,
                                     struct plumb_history *h,
                                     struct plumb_error *err)
{
    enum plumb_status status = plumb_reader_next(reader, h, err);
    if (status != PLUMB_OK)
        return status;
    status = plumb_reader_validate(reader, h, err);
    if (status != PLUMB_OK)
        plumb_history_release(h);
    return status;
}

void console_input_close(struct console_input *in)
{
    union {
        const void *read;
        void *write;
    } block = { in->data };
    if (in->mapped)
        munmap(block.write, in->mapped);
    else
        plumb_base_release(in->budget, block.write, in->capacity);
    in->data = NULL;
    in->size = in->mapped = in->capacity = 0;
}

void console_input_replace(struct console_input *in, char *data, size_t size,
                           size_t capacity)
{
    console_input_close(in);
    in->data = data;
    in->size = size;
    in->capacity = capacity;
    in->whole = true;
}
