/* markup.h - text for XML and HTML, and names of files for programs.
 *
 * Whatever a user can name goes through publish_escape(): it leaves nothing
 * that could be markup, or that a parser of XML refuses, and makes visible what
 * would change the direction of text or not be seen. */
#ifndef PLUMB_APP_PUBLISH_MARKUP_H
#define PLUMB_APP_PUBLISH_MARKUP_H

#include "base/text.h"

/* Good between tags and in attributes with double quotes. */
void publish_escape(const char *text, struct plumb_base_text *out);
/* At most so many characters, then "…". */
void publish_escape_some(const char *text, unsigned characters,
                         struct plumb_base_text *out);

/* From the working directory if the file is in it; else the longer name.
 * `name` may be just the last part of `absolute`. */
const char *publish_path(const char *name, const char *absolute);

/* A word for a shell, in single quotes unless that changes nothing. */
void publish_quote(const char *word, struct plumb_base_text *out);

/* A reference in SARIF: percent-encoded, file:/// where the path is absolute. */
void publish_uri(const char *path, struct plumb_base_text *out);

#endif
