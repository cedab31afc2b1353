/* guard.h - running code of the user's in a child process that is watched.
 *
 * A specification of the user's may crash, hang, or end the process.  The
 * child does all the work; the parent waits for it and can say which operation
 * was being performed when it died, or has been for too long. */
#ifndef PLUMB_APP_OBJECTS_GUARD_H
#define PLUMB_APP_OBJECTS_GUARD_H

#include "app/console/exit_status.h"
#include "plugin.h"
#include <stdint.h>

/* Call work(context) in a child and give its result, or STATUS_ERROR after
 * saying what the plug-in did.  The work knows its limits, but cannot keep them
 * while a step of the plug-in does not return: after `milliseconds` (0: never),
 * or Ctrl-C, such a step is ended, and the result is STATUS_UNDECIDED. */
enum console_status objects_guard_run(
    const struct objects_target *plugin, uint64_t milliseconds,
    enum console_status (*work)(void *context), void *context);

/* In the child: `user` with its functions under watch.  One per process. */
const struct plumb_user_spec *objects_guard_spec(
    const struct plumb_user_spec *user);

#endif
