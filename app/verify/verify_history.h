/* verify_history.h - a way through a model, as calls and responses. */
#ifndef PLUMB_APP_VERIFY_VERIFY_HISTORY_H
#define PLUMB_APP_VERIFY_VERIFY_HISTORY_H

#include "refine/judge.h"
#include <plumb/history.h>

struct verify_pairing {
    bool calls;     /* there are any (events called OP_inv)               */
    bool pairs;     /* each response has its call, and nobody calls twice;
                       else the history ends where that is not so          */
    bool responded; /* the last event is a response                       */
};

/* The way to what was found; false if there are no calls, or memory is
 * refused.  `h` is to be released if there is one. */
bool verify_history(struct plumb_refine_judgement *j, struct plumb_history *h,
                    struct verify_pairing *pairing);

#endif
