/* witness_file.h - answers as a file that anybody can check:
 * docs/witness-files.md.
 *
 *     plumb-witness 1
 *
 *     history 1: linearizable
 *     spec queue
 *     operations 3
 *     checksum 5c1e0f0a9b3d7742
 *     order 0 2 1
 *
 *     history 2: not linearizable
 *     spec queue
 *     operations 6
 *     checksum 90ab34cd12ef5678
 *     object 0
 *     cut 9
 *     core 0 1 3* 4
 *     certificate 0:0 1:1
 *
 * Operations are numbered from 0 in the order of their calls. */
#ifndef PLUMB_REPORT_WITNESS_FILE_H
#define PLUMB_REPORT_WITNESS_FILE_H

#include "base/arena.h"
#include "base/text.h"
#include <plumb/check.h>

/* What happened in `h`, as one number: the same for the same events, threads,
 * objects and values, whatever file they were read from. */
uint64_t plumb_report_history_checksum(const struct plumb_history *h);

/* The first line of a file. */
void plumb_report_witness_begin(struct plumb_base_text *out);

/* The answer about history number `number` of its file, from 1.  `spec` may be
 * NULL. */
void plumb_report_witness_write(const struct plumb_history *h, uint32_t number,
                                const char *spec,
                                const struct plumb_answer *answer,
                                struct plumb_base_text *out);

struct plumb_report_witness {
    uint32_t number;     /* of the history in its file, from 1      */
    uint32_t line;       /* of this witness in the witness file     */
    const char *spec;    /* NULL if not given                       */
    uint32_t operations; /* the history has                         */
    uint64_t checksum;
    enum plumb_verdict verdict;
    const uint32_t *order; /* linearizable */
    uint32_t order_count;
    struct plumb_core core; /* not linearizable */
    const struct plumb_certificate_step *certificate;
    uint32_t certificate_count;
};

struct plumb_report_witnesses {
    struct plumb_report_witness *witness;
    uint32_t count;
};

/* Read a whole file.  Histories and the operations of a core ascend, and all
 * numbers are within their bounds; whether they prove anything is the
 * verifier's business.  What is read lives in `arena`.  On failure `list` is
 * untouched. */
enum plumb_status plumb_report_witness_read(const char *data, size_t size,
                                            struct plumb_base_arena *arena,
                                            struct plumb_report_witnesses *list,
                                            struct plumb_error *err);

/* The witness about history `number`, or NULL. */
const struct plumb_report_witness *plumb_report_witness_find(
    const struct plumb_report_witnesses *list, uint32_t number);

/* Is it about this history?  PLUMB_EINPUT, at the witness's line, if not. */
enum plumb_status plumb_report_witness_is_about(
    const struct plumb_report_witness *w, const struct plumb_history *h,
    struct plumb_error *err);

#endif
