/* object_image.h - the states of an object whose variables are all its state.
 *
 * A shared object that allocates nothing, has no thread-local variables and
 * calls only functions without memory of their own keeps its state in its own
 * variables.  Those can be copied out, compared, and put back.  States are
 * numbered; a state is kept as the pieces of memory in which it differs from
 * the first one, so that a large array of which little is used costs little. */
#ifndef PLUMB_APP_OBJECTS_OBJECT_IMAGE_H
#define PLUMB_APP_OBJECTS_OBJECT_IMAGE_H

#include <plumb/object.h>
#include <stdbool.h>
#include <stdint.h>

/* State 0 is the one the object is in now.  False: its state may be elsewhere,
 * too, or memory is used up.  One object per process. */
bool object_image_begin(const struct plumb_object *object);

/* Bring the object into a state. */
void object_image_enter(uint32_t state);

/* The number of the state it is in; UINT32_MAX when memory is used up. */
uint32_t object_image_state(void);

/* Forget all states but 0. */
void object_image_forget(void);

#endif
