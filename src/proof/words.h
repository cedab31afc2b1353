/* words.h - operations in words, for messages. */
#ifndef PLUMB_PROOF_WORDS_H
#define PLUMB_PROOF_WORDS_H

#include "plain.h"

#define PLUMB_WORDS 96 /* longer ones end in "..." */

/* "deq()=2 by P2", "enq(1)=ok by P1", "deq() (pending) by P3". */
void plumb_proof_words_of_operation(const struct plumb_history *h, uint32_t i,
                                    char words[PLUMB_WORDS]);

/* "ok(2)", "empty()". */
void plumb_proof_words_of_reply(const struct plumb_proof_plain *p,
                                const struct plumb_proof_plain_reply *r,
                                char words[PLUMB_WORDS]);

/* PLUMB_EINPUT, at the place where operation i was read. */
enum plumb_status plumb_proof_words_fail(const struct plumb_history *h,
                                         uint32_t i, struct plumb_error *err,
                                         const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The words for a budget's status. */
enum plumb_status plumb_proof_words_stop(enum plumb_status why,
                                         struct plumb_error *err);

#endif
