/* serial_witness.h - is there a serial witness among observed histories?
 *
 * (Line-Up, sections 2.1.4 and 2.3.)  The text is an observation file with all
 * serial histories of a test.  It is read and compared here by other code than
 * wrote and searched it: plainly, history by history. */
#ifndef PLUMB_PROOF_SERIAL_WITNESS_H
#define PLUMB_PROOF_SERIAL_WITNESS_H

#include <plumb/history.h>

/* Does no serial history of `text` explain `h`?  Its threads are called P1, P2,
 * ... after those of the text, A, B, ...  An operation that has not returned, or
 * has the outcome info, may or may not have taken effect.
 * `stuck`: nobody in `h` can go on; some open operation must then be one that
 * waits for ever in no witness.
 * PLUMB_OK: none does.  PLUMB_EINPUT: one does, or the text is malformed; the
 * message says which. */
enum plumb_status plumb_proof_no_serial_witness(const struct plumb_history *h,
                                                bool stuck, const char *text,
                                                struct plumb_budget *budget,
                                                struct plumb_error *err);

#endif
