/* simulate_output.c - histories with their status, in the paper's words. */
#include "simulate_output.h"

#include <inttypes.h>

bool simulate_output_open(struct simulate_output *o, const char *path)
{
    *o = (struct simulate_output){ .wanted = path != NULL };
    return !path || console_output_create(&o->file, path);
}

static const char *status_comment(enum plumb_verdict verdict)
{
    switch (verdict) {
    case PLUMB_LINEARIZABLE:
        return "/* This history is linearizable. */\n\n";
    case PLUMB_NOT_LINEARIZABLE:
        return "/* This history is not linearizable! */\n\n";
    case PLUMB_UNDECIDED:
        break;
    }
    return "/* It was not decided whether this history is linearizable. */\n\n";
}

bool simulate_output_write(struct simulate_output *o,
                           const struct plumb_history *h, uint64_t number,
                           enum plumb_verdict verdict)
{
    const struct plumb_sink sink = console_output_sink(&o->file);
    uint64_t losses[PLUMB_LOSSES] = { 0 };
    struct plumb_error err = { 0 };
    if (!o->wanted || h->count == 0)
        return true;
    fprintf(o->file.file, "/* This is simulation number %" PRIu64 " */\n",
            number);
    /* Always as if it were the first: our own blank line has gone before. */
    if (plumb_history_write(h, PLUMB_FORMAT_NATIVE, 0, &sink, losses, &err) !=
        PLUMB_OK)
        return false;
    fputs(status_comment(verdict), o->file.file);
    o->written++;
    return !ferror(o->file.file);
}

bool simulate_output_close(struct simulate_output *o)
{
    return !o->wanted || console_output_finish(&o->file, true);
}
