/* paragraph.h - words on stdout, broken into lines of at most 78 columns. */
#ifndef PLUMB_APP_CONSOLE_PARAGRAPH_H
#define PLUMB_APP_CONSOLE_PARAGRAPH_H

#include <stddef.h>

struct console_paragraph {
    size_t indent; /* of every line                             */
    size_t column; /* where the present one ends; 0: not begun   */
};

void console_paragraph_word(struct console_paragraph *p, const char *word);
/* Every word of a text, as blanks separate them. */
void console_paragraph_text(struct console_paragraph *p, const char *text);
void console_paragraph_end(const struct console_paragraph *p);

#endif
