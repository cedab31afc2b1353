/* verify_dot.h - the states of a model as a picture. */
#ifndef PLUMB_APP_VERIFY_VERIFY_DOT_H
#define PLUMB_APP_VERIFY_VERIFY_DOT_H

#include "verify_settings.h"

/* Write the graph of the process of an assertion (--assert, else the first). */
enum console_status verify_dot(const struct verify_settings *s,
                               const struct plumb_csp_model *model,
                               struct plumb_budget *budget);

#endif
