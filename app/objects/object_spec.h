/* object_spec.h - a sequential object as a specification. */
#ifndef PLUMB_APP_OBJECTS_OBJECT_SPEC_H
#define PLUMB_APP_OBJECTS_OBJECT_SPEC_H

#include <plumb/object.h>
#include <plumb/spec.h>

/* The operations' answers are what the object gives when they are invoked one
 * after the other.  One object per process; the process ends, after saying why,
 * when memory is used up. */
const struct plumb_user_spec *object_spec(const struct plumb_object *object);

/* Forget what was tried: no state of an earlier history is in use. */
void object_spec_forget(void);

#endif
