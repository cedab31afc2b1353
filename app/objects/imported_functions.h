/* imported_functions.h - what a model calls and C code provides. */
#ifndef PLUMB_APP_OBJECTS_IMPORTED_FUNCTIONS_H
#define PLUMB_APP_OBJECTS_IMPORTED_FUNCTIONS_H

#include "csp/language/model.h"

/* Build and load what `#import` names (a C file or a shared object, beside the
 * model at `path`) and find the functions that the model calls there.  False
 * after saying what is wrong.  A function that does not return when the budget
 * has ended takes the program with it: undecided. */
bool objects_imported_functions_bind(struct plumb_csp_model *model,
                                     const char *path,
                                     const struct plumb_budget *budget);

/* Once they are not called any more: whoever ends the process now is us. */
void objects_imported_functions_end(void);

#endif
