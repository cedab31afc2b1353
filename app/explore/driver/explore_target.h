/* explore_target.h - making a target ready to be explored. */
#ifndef PLUMB_APP_EXPLORE_DRIVER_EXPLORE_TARGET_H
#define PLUMB_APP_EXPLORE_DRIVER_EXPLORE_TARGET_H

#include "exploration.h"

/* Build it, find its specification, explore it.  `level`: as it is shown in
 * results, "-O2"; or NULL. */
enum console_status explore_target(const struct explore_settings *s,
                                   const char *level);

/* Build s->object, describe it, and call work(e, context).  `judges`: it needs
 * e->spec, and is called where a specification of the user's may crash. */
typedef enum console_status exploration_work(struct exploration *e,
                                             void *context);
enum console_status explore_with(const struct explore_settings *s,
                                 const char *level, bool judges,
                                 exploration_work *work, void *context);

#endif
