/* gdb_session.h - one schedule in gdb. */
#ifndef PLUMB_APP_EXPLORE_DRIVER_GDB_SESSION_H
#define PLUMB_APP_EXPLORE_DRIVER_GDB_SESSION_H

#include "app/console/exit_status.h"
#include "host_process.h"

/* Become gdb, which runs the host up to before that step.  Returns only if that
 * cannot be done, which has been said. */
enum console_status explore_gdb_run(const struct explore_host_process *h,
                                    unsigned step);

#endif
