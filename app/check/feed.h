/* feed.h - bytes as they come: from a pipe, a FIFO, or a file that grows.
 *
 * If they begin as an archive does, they are unpacked as they come. */
#ifndef PLUMB_APP_CHECK_FEED_H
#define PLUMB_APP_CHECK_FEED_H

#include "app/archive/archive.h"
#include <plumb/budget.h>
#include <plumb/error.h>
#include <stdbool.h>
#include <stddef.h>

struct check_feed {
    const char *name; /* for messages */
    const char *path;
    int file;
    bool follow; /* the end of a file is not the end: it may grow */
    bool waits;  /* a FIFO that nobody has written to yet */
    bool told;   /* that another file has its name now */
    struct plumb_budget *budget;
    char *data;
    size_t capacity;
    size_t held; /* the first bytes, too few to tell an archive by */
    bool begun;  /* it is known whether it is one: */
    struct archive *archive;
    const char *packed; /* what came of it and was not unpacked yet */
    size_t left;
    char *unpacked;
    size_t room;
};

/* `path` is a file or "-". */
enum plumb_status check_feed_open(struct check_feed *f, const char *path,
                                  bool follow, struct plumb_budget *budget,
                                  struct plumb_error *err);
void check_feed_close(struct check_feed *f);

/* The next piece, as much as there is: PLUMB_OK.  PLUMB_END: that was all.  *size
 * is 0 if nothing came for some `milliseconds`.  While it waits for a file to
 * grow, one that has become shorter is PLUMB_EIO, and that another one has its
 * name is said. */
enum plumb_status check_feed_next(struct check_feed *f, unsigned milliseconds,
                                  const char **piece, size_t *size,
                                  struct plumb_error *err);

#endif
