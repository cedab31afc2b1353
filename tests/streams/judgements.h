/* judgements.h - what comes of a text, as a whole and in pieces. */
#ifndef TESTS_STREAMS_JUDGEMENTS_H
#define TESTS_STREAMS_JUDGEMENTS_H

#include "pieces.h"
#include <plumb/check.h>

struct judgement {
    enum plumb_status status;
    struct plumb_error err;
    enum plumb_verdict verdict;
    const char *declined; /* why it is not decided */
};

struct judgement judge_whole(enum plumb_format format, const char *data,
                             size_t size, const struct plumb_spec *spec);
struct judgement judge_pieces(enum plumb_format format, const char *data,
                              size_t size, const struct cuts *cuts, bool forget,
                              const struct plumb_spec *spec);

/* Of a format that is read as a whole: played, so many events at a time. */
struct judgement judge_play(enum plumb_format format, const char *data,
                            size_t size, unsigned at_once, bool forget,
                            const struct plumb_spec *spec);

#endif
