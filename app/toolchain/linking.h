/* linking.h - what a compiler's command line says about the linker's job. */
#ifndef PLUMB_APP_TOOLCHAIN_LINKING_H
#define PLUMB_APP_TOOLCHAIN_LINKING_H

#include <stdbool.h>

struct toolchain_linking {
    bool inputs;   /* there is a file to work on                          */
    bool partial;  /* no program but a shared object, or one file of many */
    bool complete; /* ... in which nothing may be undefined               */
};

/* Adds what `count` words say, and the files that are named as @FILE. */
void toolchain_linking_read(struct toolchain_linking *l, int count,
                            const char *const *word);

#endif
