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
    plumb_base_release(f->budget, f->unpacked, f->room);
    archive_free(f->archive);
    f->data = f->unpacked = NULL;
    f->archive = NULL;
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
    const ssize_t n = read(f->file, f->data + f->held, f->capacity - f->held);
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
    return PLUMB_GROW(f->budget, f->data, f->capacity, AT_ONCE);
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

/* What the first bytes say, or that there will be no more of them. */
static enum plumb_status begin(struct check_feed *f, size_t size,
                               struct plumb_error *err)
{
    const enum archive_kind kind = archive_kind_of(f->data, size);
    f->begun = true;
    f->held = 0;
    if (kind == ARCHIVE_NONE)
        return PLUMB_OK;
    if (!PLUMB_GROW(f->budget, f->unpacked, f->room, AT_ONCE))
        return plumb_base_fail_memory(err);
    return archive_new(&f->archive, kind, f->budget, err);
}

static enum plumb_status unpack(struct check_feed *f, const char **piece,
                                size_t *size, struct plumb_error *err)
{
    *piece = f->unpacked;
    return archive_unpack(f->archive, &f->packed, &f->left, f->unpacked,
                          f->room, size, err);
}

/* So many bytes came behind those that are held, and perhaps no more will. */
static enum plumb_status pass_on(struct check_feed *f, size_t came, bool last,
                                 const char **piece, size_t *size,
                                 struct plumb_error *err)
{
    *piece = f->data;
    *size = f->held + came;
    if (!f->begun && *size < ARCHIVE_MAGIC && !last) {
        f->held = *size;
        *size = 0;
        return PLUMB_OK;
    }
    if (!f->begun)
        PLUMB_TRY(begin(f, *size, err));
    if (!f->archive)
        return PLUMB_OK;
    f->packed = f->data;
    f->left = *size;
    return unpack(f, piece, size, err);
}

static enum plumb_status come_to_end(struct check_feed *f,
                                     unsigned milliseconds, const char **piece,
                                     size_t *size, struct plumb_error *err)
{
    if (f->held && !f->follow)
        return pass_on(f, 0, true, piece, size, err);
    if (f->archive && !f->follow)
        PLUMB_TRY(archive_end(f->archive, err));
    return end(f, milliseconds, err);
}

enum plumb_status check_feed_next(struct check_feed *f, unsigned milliseconds,
                                  const char **piece, size_t *size,
                                  struct plumb_error *err)
{
    size_t came;
    *size = 0;
    if (f->archive) { /* what is unpacked may be much more than what came */
        PLUMB_TRY(unpack(f, piece, size, err));
        if (*size)
            return PLUMB_OK;
    }
    if (!make_room(f))
        return plumb_base_fail_memory(err);
    const int more = read_some(f, milliseconds, &came);
    if (more < 0)
        return fail_reading(err);
    return more ? pass_on(f, came, false, piece, size, err)
                : come_to_end(f, milliseconds, piece, size, err);
}
