/* paragraph.h - words on stdout, broken into lines of at most 78 columns. */
#ifndef PLUMB_CLI_PARAGRAPH_H
#define PLUMB_CLI_PARAGRAPH_H

#include <stddef.h>

struct paragraph {
    size_t indent; /* of every line                             */
    size_t column; /* where the present one ends; 0: not begun   */
};

void paragraph_word(struct paragraph *p, const char *word);
/* Every word of a text, as blanks separate them. */
void paragraph_text(struct paragraph *p, const char *text);
void paragraph_end(const struct paragraph *p);

#endif
