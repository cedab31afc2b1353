/* feed.h - bytes as they come: from a pipe, a FIFO, or a file that grows. */
#ifndef PLUMB_CLI_FEED_H
#define PLUMB_CLI_FEED_H

#include <plumb/budget.h>
#include <plumb/error.h>
#include <stdbool.h>
#include <stddef.h>

struct feed {
    const char *name; /* for messages */
    const char *path;
    int file;
    bool follow; /* the end of a file is not the end: it may grow */
    bool waits;  /* a FIFO that nobody has written to yet */
    bool ended;  /* there is no more to read */
    bool told;   /* that another file has its name now */
    struct plumb_budget *budget;
    char *data;
    size_t size; /* bytes in it */
    size_t capacity;
    size_t given;   /* of these, given out by the last call */
    size_t endless; /* at the front, without the end of a line */
};

/* `path` is a file or "-". */
enum plumb_status feed_open(struct feed *f, const char *path, bool follow,
                            struct plumb_budget *budget,
                            struct plumb_error *err);
void feed_close(struct feed *f);

/* Of what was given last, only so many bytes were taken: the rest comes again. */
void feed_took(struct feed *f, size_t size);

/* The next piece of whole lines, as much as there is: PLUMB_OK.  PLUMB_END: that
 * was all.  *size is 0 if nothing came for some `milliseconds`.  A last line
 * without its end is given at the end of the file, unless it may grow.  While it
 * waits for that, a file that has become shorter is PLUMB_EIO, and that another
 * one has its name is said. */
enum plumb_status feed_next(struct feed *f, unsigned milliseconds,
                            const char **piece, size_t *size,
                            struct plumb_error *err);

#endif
