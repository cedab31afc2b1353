/* matrix_search.h - which tests an object is compared with itself in. */
#ifndef PLUMB_APP_EXPLORE_INFER_MATRIX_SEARCH_H
#define PLUMB_APP_EXPLORE_INFER_MATRIX_SEARCH_H

#include "app/explore/driver/exploration.h"

/* --auto: Line-Up's AutoCheck; --samples: its RandomCheck; else small tests, and
 * then RandomCheck with 100 tests of three threads and three operations. */
enum console_status explore_search_matrices(struct exploration *e);

#endif
