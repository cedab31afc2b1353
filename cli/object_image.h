/* object_image.h - all the memory that an object's state is in, if that can be
 * told.
 *
 * A shared object that allocates nothing, has no thread-local variables and
 * calls only functions without memory of their own keeps its state in its own
 * variables.  Those can be copied out, compared, and put back. */
#ifndef PLUMB_CLI_OBJECT_IMAGE_H
#define PLUMB_CLI_OBJECT_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

enum { IMAGE_PARTS = 4, LARGEST_IMAGE = 1 << 20 };

struct object_image {
    struct {
        char *at;
        size_t size;
    } part[IMAGE_PARTS];
    unsigned parts;
    size_t size; /* of all */
};

/* Of the loaded object that `address` is in.  False: its state may be
 * elsewhere, too. */
bool object_image_find(struct object_image *image, const void *address);

void object_image_save(const struct object_image *image, void *to);
void object_image_restore(const struct object_image *image, const void *from);

#endif
