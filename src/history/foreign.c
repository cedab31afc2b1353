/* foreign.c - see foreign.h.
 *
 * People give the wrong file of a folder, or the right one still packed.  The
 * first bytes of most kinds of files say what they are. */
#include "foreign.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

struct kind {
    size_t at;
    const char *magic;
    size_t size;
    const char *what;
};
#define KIND(at, magic, what)                                                  \
    {                                                                          \
        at, magic, sizeof(magic) - 1, what                                     \
    }

static const struct kind kinds[] = {
    KIND(0, "\x1f\x8b", "gzip data; decompress it first, with gzip -d"),
    KIND(0, "\x28\xb5\x2f\xfd", "zstd data; decompress it first, with zstd -d"),
    KIND(0, "\xfd\x37zXZ", "xz data; decompress it first, with xz -d"),
    KIND(0, "BZh", "bzip2 data; decompress it first, with bzip2 -d"),
    KIND(0, "\x04\x22\x4d\x18", "lz4 data; decompress it first, with lz4 -d"),
    KIND(0, "PK\x03\x04", "a zip archive; unpack it first"),
    KIND(0, "7z\xbc\xaf\x27\x1c", "a 7-zip archive; unpack it first"),
    KIND(257, "ustar", "a tar archive; unpack it first"),
    KIND(0, "\xff\xfe", "UTF-16 text; convert it to UTF-8 first, with iconv"),
    KIND(0, "\xfe\xff", "UTF-16 text; convert it to UTF-8 first, with iconv"),
    KIND(0, "\x7f\x45LF", "a program; plumb explore takes shared objects"),
    KIND(0, "JEPSEN", "a Jepsen test file; give its history.edn instead"),
    KIND(0, "SQLite format 3", "an SQLite database"),
    KIND(0, "\xd4\xc3\xb2\xa1", "a packet capture"),
    KIND(0, "\x0a\x0d\x0d\x0a", "a packet capture"),
    KIND(0, "%PDF", "a PDF document"),
    KIND(0, "\x89PNG", "a PNG image"),
    KIND(0, "\xff\xd8\xff", "a JPEG image"),
    KIND(0, "GIF8", "a GIF image"),
    KIND(0, "plumb-schedule", "a schedule; plumb replay takes it"),
    KIND(0, "plumb-witness", "a proof; plumb check --verify takes it"),
};

/* Of texts: words that they begin with, after blanks. */
static const struct kind texts[] = {
    KIND(0, "<!DOCTYPE html", "an HTML page"),
    KIND(0, "<html", "an HTML page"),
    KIND(0, "<?xml", "XML"),
    KIND(0, "<observationset",
         "observations; plumb explore --observations takes them"),
    KIND(0, "#include", "C source; plumb explore takes it"),
    KIND(0, "#assert", "a model; plumb verify takes it"),
    KIND(0, "#define", "source; plumb explore takes C, plumb verify models"),
    KIND(0, "//", "source; plumb explore takes C, plumb verify models"),
};

static bool is_kind(const struct kind *k, const char *data, size_t size)
{
    return size >= k->at + k->size &&
           memcmp(data + k->at, k->magic, k->size) == 0;
}

static const char *find(const struct kind *kind, size_t count, const char *data,
                        size_t size)
{
    for (size_t i = 0; i < count; i++)
        if (is_kind(&kind[i], data, size))
            return kind[i].what;
    return NULL;
}

const char *plumb_history_foreign(const char *data, size_t size)
{
    const char *const what =
        find(kinds, sizeof kinds / sizeof *kinds, data, size);
    while (size && isspace((unsigned char)*data)) {
        data++;
        size--;
    }
    return what ? what : find(texts, sizeof texts / sizeof *texts, data, size);
}
