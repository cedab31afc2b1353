/* compiled_moves.h - the moves of terms as compiled C.
 *
 * Once there are many states, the terms met so far are written as C
 * (native_emit.c), somebody else compiles and loads that, and successors.c
 * calls it.  Terms met later, and what C is not written for, stay with the
 * bytecode; so does every step in which something is wrong. */
#ifndef PLUMB_CSP_TERMS_COMPILED_MOVES_H
#define PLUMB_CSP_TERMS_COMPILED_MOVES_H

#include <stdbool.h>
#include <stdint.h>

/* The moves of a term that are possible in state `s`, in order.  Of each: its
 * index, how many slots its effect has changed, and of each of those its number
 * and what is in it.  Returns the words written; -1 if something is wrong, then
 * `w` may be left changed.  Else `w`, equal to `s`, stays so. */
typedef int plumb_csp_native_term(const int32_t *s, int32_t *w, uint32_t *out);

/* A row of the table that the C has, `plumb_native_table`; `most` words may be
 * written.  The last has no function. */
struct plumb_csp_native_entry {
    uint32_t term, most;
    plumb_csp_native_term *go;
};

/* Who compiles. */
struct plumb_csp_native {
    void *context;
    uint32_t threshold; /* from so many states on */
    /* The table of what was compiled, which stays; NULL if it was not. */
    const struct plumb_csp_native_entry *(*compile)(void *context,
                                                    const char *text);
};

#endif
