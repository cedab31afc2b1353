/* label.h - values and operations as a person writes them.
 *
 *     enq(1)   deq()=2   deq()=empty   cas(1,2)=false   scan()=(1,2)
 *
 * Labels are safe to print: control characters, characters that reorder or
 * hide text, and bytes that are not UTF-8 are shown escaped. */
#ifndef PLUMB_REPORT_LABEL_H
#define PLUMB_REPORT_LABEL_H

#include "base/text.h"
#include <plumb/history.h>

/* Escape sequences, or empty strings. */
struct plumb_report_palette {
    const char *bold, *red, *green, *yellow, *dim, *off;
};

/* What the reader's screen can show. */
struct plumb_report_style {
    unsigned width; /* columns; 0 is 80               */
    bool ascii;     /* no UTF-8                       */
    bool color;     /* else plain */
};

const struct plumb_report_palette *plumb_report_style_palette(
    const struct plumb_report_style *s);
unsigned plumb_report_style_width(const struct plumb_report_style *s);

enum { PLUMB_VALUE_COLUMNS = 16 }; /* longer texts are abbreviated */

/* At most `limit` columns of arbitrary bytes; what is cut off shows as an
 * ellipsis. */
void plumb_report_label_text(const struct plumb_report_style *style,
                             const char *text, size_t size, size_t limit,
                             struct plumb_base_text *out);

/* All of a text, on one line: a message or a file's name that is not ours. */
void plumb_report_label_line(const char *text, struct plumb_base_text *out);

/* 7, abc, "a b", true, nil */
void plumb_report_label_value(const struct plumb_report_style *style,
                              const struct plumb_history *h,
                              struct plumb_value v,
                              struct plumb_base_text *out);

/* `count` values, separated by commas. */
void plumb_report_label_values(const struct plumb_report_style *style,
                               const struct plumb_history *h,
                               const struct plumb_value *v, size_t count,
                               struct plumb_base_text *out);

/* The name of a thread; one that is a number gets a T. */
void plumb_report_label_thread(const struct plumb_report_style *style,
                               const struct plumb_history *h, uint32_t thread,
                               struct plumb_base_text *out);

enum plumb_report_label {
    PLUMB_LABEL_CALL = 0,   /* enq(1)                */
    PLUMB_LABEL_ANSWER = 1, /* and what it answered  */
    PLUMB_LABEL_OBJECT = 2  /* q.enq(1)              */
};

void plumb_report_label_op(const struct plumb_report_style *style,
                           const struct plumb_history *h,
                           const struct plumb_op *o, unsigned what,
                           struct plumb_base_text *out);

/* What an operation that returned answered: 2, empty, (1,2), or ok. */
void plumb_report_label_answer(const struct plumb_report_style *style,
                               const struct plumb_history *h,
                               const struct plumb_op *o,
                               struct plumb_base_text *out);

/* Is the symbol this word, without regard to case, '-' and '_'?  `word` is in
 * lower case and has neither. */
bool plumb_report_symbol_is(const struct plumb_history *h, uint32_t symbol,
                            const char *word);

#endif
