/* zstd_none.c - in place of zstd.c, in a build without libzstd. */
#include "packing.h"

const struct archive_packing *const archive_zstd = NULL;
