/* collection_methods.h - a method at work: what it is given, what it answers. */
#ifndef PLUMB_CSP_FORMULAS_COLLECTION_METHODS_H
#define PLUMB_CSP_FORMULAS_COLLECTION_METHODS_H

#include "collections.h"

struct plumb_csp_content {
    const int32_t *at;
    uint32_t count;
};

struct plumb_csp_method_call {
    struct plumb_csp_content self;
    int32_t number[PLUMB_MOST_METHOD_ARGUMENTS]; /* arguments: numbers ... */
    struct plumb_csp_content other[PLUMB_MOST_METHOD_ARGUMENTS];
    uint32_t others; /* ... and so many collections */
    /* Where the content of the collection it makes is written, unless that is
     * not asked for: NULL.  There is room for all that it is given, and two
     * numbers more. */
    int32_t *to;
    uint32_t made;
    int32_t value;
    enum plumb_csp_method_end end;
};

#endif
