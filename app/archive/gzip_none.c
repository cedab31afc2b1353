/* gzip_none.c - in place of gzip.c, in a build without zlib. */
#include "packing.h"

const struct archive_packing *const archive_gzip = NULL;
