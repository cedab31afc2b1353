/* assembly_notes.h - what assembler/as.c noted in an object.
 *
 * Instructions of a compiler and of inline assembly look alike in the end, so
 * the notes are made before: one for each block that is not followed. */
#ifndef PLUMB_APP_BINARY_ASSEMBLY_NOTES_H
#define PLUMB_APP_BINARY_ASSEMBLY_NOTES_H

#include <stdbool.h>

enum { ASSEMBLY_PLACES = 8, ASSEMBLY_PLACE = 256 };

struct binary_assembly_notes {
    bool looked;      /* the program stood in front of the assembler */
    bool at_run_time; /* there is more, which tells when it is run */
    unsigned
        places; /* with inline assembly that is not followed: all different */
    char place[ASSEMBLY_PLACES][ASSEMBLY_PLACE]; /* "queue.c:12" */
    bool more;                                   /* ... than are kept */
};

/* Of a shared object or an object file.  Without notes if it is neither. */
void binary_assembly_notes_read(const char *path,
                                struct binary_assembly_notes *n);

/* Was what is in there assembled behind that program?  Of an archive: anything
 * of it. */
bool binary_assembly_notes_are_in(const char *path);

#endif
