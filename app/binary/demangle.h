/* demangle.h - names of C++ as they were written. */
#ifndef PLUMB_APP_BINARY_DEMANGLE_H
#define PLUMB_APP_BINARY_DEMANGLE_H

#include "base/text.h"

/* Add a short text, in which names that were mangled are as they were written:
 * by c++filt, which comes with objdump.  If there is none, as it is. */
void binary_demangle(const char *text, struct plumb_base_text *out);

#endif
