/* scalar.h - values that are no strings, as text. */
#ifndef PLUMB_HISTORY_FORMATS_SCALAR_H
#define PLUMB_HISTORY_FORMATS_SCALAR_H

#include "base/text.h"
#include <plumb/value.h>

/* true, false, -5, or for nil the given word.  False, and nothing is added: it
 * is a string, which every text quotes in its own way. */
bool plumb_history_scalar_show(struct plumb_value v, const char *nil,
                               struct plumb_base_text *out);

#endif
