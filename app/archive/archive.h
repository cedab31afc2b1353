/* archive.h - gzip and zstd data, unpacked while it comes.
 *
 * Unpacked bytes go where the caller says, as many as there is room for, so a
 * small archive of a huge text never takes more memory than its reader. */
#ifndef PLUMB_APP_ARCHIVE_ARCHIVE_H
#define PLUMB_APP_ARCHIVE_ARCHIVE_H

#include <plumb/budget.h>
#include <plumb/error.h>
#include <stddef.h>
#include <stdint.h>

enum archive_kind { ARCHIVE_NONE, ARCHIVE_GZIP, ARCHIVE_ZSTD };

/* What the first bytes say; so many are enough. */
enum { ARCHIVE_MAGIC = 4 };
enum archive_kind archive_kind_of(const char *data, size_t size);

struct archive;

/* PLUMB_EINPUT: the program was built without that kind. */
enum plumb_status archive_new(struct archive **archive, enum archive_kind kind,
                              struct plumb_budget *budget,
                              struct plumb_error *err);
void archive_free(struct archive *archive);

/* Unpack from in[0..*size), which is advanced past what was used, into
 * out[0..room): *made bytes.  If that is all of `room`, there may be more
 * without further input.  PLUMB_EINPUT, with the place, if the data is
 * damaged; PLUMB_EMEMORY. */
enum plumb_status archive_unpack(struct archive *archive, const char **in,
                                 size_t *size, char *out, size_t room,
                                 size_t *made, struct plumb_error *err);

/* There is no more input: PLUMB_EINPUT if that is too early. */
enum plumb_status archive_end(const struct archive *archive,
                              struct plumb_error *err);

/* How many bytes of out[0..room) the first ones of an archive unpack to; 0 if it
 * is none, or damaged. */
size_t archive_peek(const char *data, size_t size, char *out, size_t room);

#endif
