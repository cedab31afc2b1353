/* validate.h - validating a history that lies in a file as it does in memory.
 */
#ifndef PLUMB_HISTORY_VALIDATE_H
#define PLUMB_HISTORY_VALIDATE_H

#include <plumb/history.h>

/* plumb_history_validate(), with errors that give the malformed thing's
 * distance in bytes from the address `origin`; 0: no place is known. */
enum plumb_status plumb_history_validate_from(const struct plumb_history *h,
                                              uintptr_t origin,
                                              struct plumb_error *err);

#endif
