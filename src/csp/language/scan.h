/* scan.h - the text of a model as tokens.
 *
 * All tokens are found before anything is read: a `;` ends a definition or
 * joins two processes, and only what follows it tells which.  Included files
 * are put in where they are named.  Brackets match, or it is an error here,
 * with the place where they were opened; nothing behind has to look. */
#ifndef PLUMB_CSP_LANGUAGE_SCAN_H
#define PLUMB_CSP_LANGUAGE_SCAN_H

#include "model.h"

enum plumb_csp_token_kind {
    PLUMB_TOKEN_END,
    PLUMB_TOKEN_NAME,
    PLUMB_TOKEN_NUMBER,
    PLUMB_TOKEN_STRING,    /* with its quotes          */
    PLUMB_TOKEN_DIRECTIVE, /* #word                    */
    PLUMB_TOKEN_SYMBOL
};

struct plumb_csp_token {
    enum plumb_csp_token_kind kind;
    bool gap; /* something blank is before it */
    struct plumb_csp_place place;
    uint32_t length;
    const char *text;
};

/* Where a file was included: in the model itself, for messages. */
struct plumb_csp_text_source {
    const char *name;
    const char *text; /* its identity, too */
    size_t size;
    struct plumb_csp_place included;
};

struct plumb_csp_read;

/* Fills r->token, r->tokens (the last is PLUMB_TOKEN_END) and r->source. */
bool plumb_csp_scan_model(struct plumb_csp_read *r);

#endif
