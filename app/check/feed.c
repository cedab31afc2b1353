/* feed.c - see feed.h. */
#include "feed.h"

#include "app/console/input.h"
#include "app/console/say.h"
#include "base/fail.h"
#include "base/memory.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { AT_ONCE = 1 << 18, NAP = 20 /* milliseconds */ };

static enum plumb_status fail_reading(struct plumb_error *err)
{
    return plumb_base_fail(err, PLUMB_EIO, 0, 0, "cannot read it: %s",
                           console_reason());
}

enum plumb_status check_feed_open(struct check_feed *f, const char *path,
                                  bool follow, struct plumb_budget *budget,
                                  struct plumb_error *err)
{
    struct stat s;
    *f = (struct check_feed){ .name = console_input_name(path),
                              .path = path,
                              .follow = follow,
                              .budget = budget };
    f->file = strcmp(path, "-") == 0
                  ? STDIN_FILENO
                  : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (f->file < 0)
        return fail_reading(err);
    if (fstat(f->file, &s) == 0 && S_ISDIR(s.st_mode)) {
        errno = EISDIR;
        return fail_reading(err);
    }
    f->waits = f->file != STDIN_FILENO && S_ISFIFO(s.st_mode);
    return PLUMB_OK;
}

void check_feed_close(struct check_feed *f)
{
    if (f->file > STDIN_FILENO)
        close(f->file);
    plumb_base_release(f->budget, f->data, f->capacity);
    f->data = NULL;
    f->file = -1;
}

/* -1: an error; 0: the end; 1: something was read, or nothing came. */
static int read_some(struct check_feed *f, unsigned milliseconds, size_t *came)
{
    struct pollfd p = { .fd = f->file, .events = POLLIN };
    *came = 0;
    const int ready = poll(&p, 1, (int)milliseconds);
    if (ready <= 0)
        return ready == 0 || errno == EINTR ? 1 : -1;
    const ssize_t n = read(f->file, f->data, f->capacity);
    if (n < 0)
        return errno == EINTR || errno == EAGAIN ? 1 : -1;
    if (n == 0 && f->waits) {
        poll(NULL, 0, NAP);
        return 1;
    }
    f->waits = false;
    *came = (size_t)n;
    return n > 0;
}

static bool make_room(struct check_feed *f)
{
    void *block = f->data;
    if (!plumb_base_grow(f->budget, &block, &f->capacity, AT_ONCE, 1))
        return false;
    f->data = block;
    return true;
}

/* Whoever rotates logs moves the file, and makes a new one of its name. */
static void look_at_name(struct check_feed *f, const struct stat *mine)
{
    struct stat s;
    if (f->told || f->file == STDIN_FILENO)
        return;
    const bool gone = stat(f->path, &s) < 0 && errno == ENOENT;
    if (!gone && s.st_ino == mine->st_ino && s.st_dev == mine->st_dev)
        return;
    f->told = true;
    console_say("%s: %s; still following the old file", f->name,
                gone ? "the file was removed" : "a new file has this name");
}

/* What was read stays read, but what was to come is lost. */
static enum plumb_status look_at_file(struct check_feed *f,
                                      struct plumb_error *err)
{
    struct stat s;
    const off_t at = lseek(f->file, 0, SEEK_CUR);
    if (at < 0 || fstat(f->file, &s) < 0 || !S_ISREG(s.st_mode))
        return PLUMB_OK;
    if (s.st_size < at)
        return plumb_base_fail(err, PLUMB_EIO, 0, 0,
                               "truncated to %lld bytes after %lld were read; "
                               "start again to follow the new contents",
                               (long long)s.st_size, (long long)at);
    look_at_name(f, &s);
    return PLUMB_OK;
}

/* The end of what there is. */
static enum plumb_status end(struct check_feed *f, unsigned milliseconds,
                             struct plumb_error *err)
{
    if (!f->follow)
        return PLUMB_END;
    const enum plumb_status status = look_at_file(f, err);
    if (status == PLUMB_OK)
        poll(NULL, 0, milliseconds < NAP ? (int)milliseconds : NAP);
    return status;
}

enum plumb_status check_feed_next(struct check_feed *f, unsigned milliseconds,
                                  const char **piece, size_t *size,
                                  struct plumb_error *err)
{
    if (!make_room(f))
        return plumb_base_fail_memory(err);
    const int more = read_some(f, milliseconds, size);
    *piece = f->data;
    if (more < 0)
        return fail_reading(err);
    return more ? PLUMB_OK : end(f, milliseconds, err);
}
