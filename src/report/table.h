/* table.h - rows and columns of words, aligned.
 *
 * The first column has names: it begins at the left, and names too long for
 * the width are cut.  The others have numbers, which end at the right. */
#ifndef PLUMB_REPORT_TABLE_H
#define PLUMB_REPORT_TABLE_H

#include "label.h"

enum { PLUMB_TABLE_COLUMNS = 16, PLUMB_TABLE_GAP = 2 };

struct plumb_report_table {
    struct plumb_report_style style;
    unsigned columns; /* at most PLUMB_TABLE_COLUMNS */
    /* private: cells one after the other, each with a NUL */
    struct plumb_base_text cells;
    size_t count;
};

void plumb_report_table_init(struct plumb_report_table *t,
                             const struct plumb_report_style *style,
                             unsigned columns);

/* The next cell, from left to right, row by row.  Numbers are ASCII. */
void plumb_report_table_cell(struct plumb_report_table *t, const char *text);

/* Add the table to `out`, each line with a newline, and release it. */
void plumb_report_table_end(struct plumb_report_table *t,
                            struct plumb_base_text *out);

#endif
