/* paragraph.c - words on stdout, broken into lines. */
#include "paragraph.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 78 };

static void add(struct console_paragraph *p, const char *word, size_t length)
{
    if (p->column > p->indent && p->column + 1 + length > WIDTH) {
        putchar('\n');
        p->column = 0;
    }
    if (p->column == 0)
        p->column = (size_t)printf("%*s", (int)p->indent, "");
    else if (p->column > p->indent)
        p->column += (size_t)printf(" ");
    p->column += (size_t)printf("%.*s", (int)length, word);
}

void console_paragraph_word(struct console_paragraph *p, const char *word)
{
    add(p, word, strlen(word));
}

void console_paragraph_text(struct console_paragraph *p, const char *text)
{
    for (text += strspn(text, " \t"); *text; text += strspn(text, " \t")) {
        const size_t length = strcspn(text, " \t");
        add(p, text, length);
        text += length;
    }
}

void console_paragraph_end(const struct console_paragraph *p)
{
    if (p->column > 0)
        putchar('\n');
}
