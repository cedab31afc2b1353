/* packing.h - what each kind of archive provides: one stream of packed data,
 * unpacked member by member. */
#ifndef PLUMB_APP_ARCHIVE_PACKING_H
#define PLUMB_APP_ARCHIVE_PACKING_H

#include "archive.h"
#include <stdbool.h>

/* One call of unpacking: from in[0..size) to out[0..room). */
struct archive_step {
    const char *in;
    size_t size;
    char *out;
    size_t room;
    bool ended;      /* after it: a member has ended, another may begin */
    const char *why; /* it is damaged; NULL if memory was refused       */
};

struct archive_packing {
    const char *name;
    size_t state; /* bytes, zero at first */
    bool (*open)(void *state, struct plumb_budget *budget);
    /* Advance in, size, out and room; false: the archive ends here. */
    bool (*unpack)(void *state, struct archive_step *step);
    void (*close)(void *state);
};

/* NULL in a build without its library. */
extern const struct archive_packing *const archive_gzip, *const archive_zstd;

#endif
