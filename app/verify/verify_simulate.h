/* verify_simulate.h - going through a model step by step. */
#ifndef PLUMB_APP_VERIFY_VERIFY_SIMULATE_H
#define PLUMB_APP_VERIFY_VERIFY_SIMULATE_H

#include "verify_settings.h"

/* The process of an assertion (--assert, else the first): the steps there are,
 * one chosen by the user or at random, and so on. */
enum console_status verify_simulate(const struct verify_settings *s,
                                    const struct plumb_csp_model *model,
                                    struct plumb_budget *budget);

#endif
