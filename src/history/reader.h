/* reader.h - what one input format provides to plumb_reader_open() and _next().
 *
 * A reader turns bytes into calls of the builder, one history at a time.  It
 * never reads outside data[at, size), and has no state but these fields. */
#ifndef PLUMB_HISTORY_READER_H
#define PLUMB_HISTORY_READER_H

#include <plumb/format.h>

struct plumb_reader {
    const struct plumb_format_class *format;
    const char *data;
    size_t size, at; /* `at` is where the next history begins           */
    size_t begin;    /* where the one given last began                  */
    uint32_t line;   /* the line that `at` is on, from 1                */
    size_t given;    /* histories given so far, malformed ones included */
    enum plumb_ties ties;
    struct plumb_budget *budget;
    struct plumb_builder *builder;
    bool whole;     /* nobody writes to the data: plumb_reader_is_whole() */
    char note[200]; /* plumb_reader_note(), or ""                         */
};

struct plumb_format_class {
    enum plumb_format format;
    const char *name;
    const char *what; /* one line for `plumb list formats` */
    enum plumb_ties ties;
    /* How sure are we, 0 (no) to 100, that data begins a file of this kind? */
    int (*detect)(const char *data, size_t size);
    /* Read one history into the builder and advance `at` and `line` beyond it,
     * or PLUMB_END.  After an error `at` is where reading may go on; == size
     * if nowhere.  The caller finishes the builder. */
    enum plumb_status (*next)(struct plumb_reader *r, struct plumb_error *err);
    /* The binary format instead gives the whole history itself; else NULL. */
    enum plumb_status (*map)(struct plumb_reader *r, struct plumb_history *h,
                             struct plumb_error *err);
    /* ... and validates the one it gave last; else NULL. */
    enum plumb_status (*validate)(const struct plumb_reader *r,
                                  const struct plumb_history *h,
                                  struct plumb_error *err);
    enum plumb_status (*write)(const struct plumb_history *h, size_t index,
                               const struct plumb_sink *sink,
                               uint64_t losses[PLUMB_LOSSES],
                               struct plumb_error *err); /* or NULL */
};

extern const struct plumb_format_class plumb_format_native;
extern const struct plumb_format_class plumb_format_jepsen;
extern const struct plumb_format_class plumb_format_edn;
extern const struct plumb_format_class plumb_format_callret;
extern const struct plumb_format_class plumb_format_fastlin;
extern const struct plumb_format_class plumb_format_fptlin;
extern const struct plumb_format_class plumb_format_jsonl;
extern const struct plumb_format_class plumb_format_binary;
extern const struct plumb_format_class plumb_format_recording;

#endif
