/* reader.h - what one input format provides to plumb_reader_open() and _next().
 *
 * A reader turns bytes into calls of the builder, one history at a time.  It
 * never reads outside data[at, size), and has no state but these fields.
 *
 * The bytes may also be a piece of a stream (history/stream.h): then next() is
 * called once for each piece of one history.  Whatever it must remember from one
 * piece to the next belongs into `state`.  Symbols do not: they may have other
 * numbers when the next piece comes (history/renaming.h).  What a response has to
 * know of its call is in the builder: plumb_builder_open_call(),
 * plumb_builder_promised(). */
#ifndef PLUMB_HISTORY_READER_H
#define PLUMB_HISTORY_READER_H

#include <plumb/format.h>

struct plumb_reader {
    const struct plumb_history_format_class *format;
    const char *data;
    size_t size, at; /* `at` is where the next history begins           */
    size_t begin;    /* where the one given last began                  */
    uint32_t line;   /* the line that `at` is on, from 1                */
    size_t column;   /* bytes of that line before `at`                  */
    size_t given;    /* histories given so far, malformed ones included */
    enum plumb_ties ties;
    struct plumb_budget *budget;
    struct plumb_builder *builder;
    struct plumb_signature signature; /* plumb_reader_signature()           */
    struct plumb_origin first;        /* where it begins, if it is a stream */
    void *state;    /* format->state bytes: 0 where a history begins      */
    bool more;      /* the data is a piece, and others will follow        */
    bool ended;     /* the history has: what follows is another one       */
    bool whole;     /* nobody writes to the data: plumb_reader_is_whole() */
    char note[200]; /* plumb_reader_note(), or ""                         */
};

/* As plumb_history_write(). */
typedef enum plumb_status plumb_history_writer(const struct plumb_history *h,
                                               size_t index,
                                               const struct plumb_sink *sink,
                                               uint64_t losses[PLUMB_LOSSES],
                                               struct plumb_error *err);
plumb_history_writer plumb_history_native_write, plumb_history_jsonl_write;

struct plumb_history_format_class {
    enum plumb_format format;
    const char *name;
    const char *what; /* one line for `plumb list formats` */
    enum plumb_ties ties;
    bool in_order; /* events come in the order of time: it can be a stream  */
    bool by_line;  /* ... in pieces of whole lines                          */
    size_t state;  /* bytes that it remembers between the pieces            */
    void (*forget)(struct plumb_reader *r); /* free what they own; or NULL   */
    /* How sure are we, 0 (no) to 100, that data begins a file of this kind? */
    int (*detect)(const char *data, size_t size);
    /* Read on in the history, to its end or to the end of the data, into the
     * builder, and advance `at`, `line` and `column`.  PLUMB_END: no history has
     * begun yet.  If `more` is to come, leave what may be incomplete for the next
     * call: `at` is where it begins.  After an error `at` is where reading may go
     * on; == size if nowhere.  The caller finishes the builder. */
    enum plumb_status (*next)(struct plumb_reader *r, struct plumb_error *err);
    /* The binary format instead gives the whole history itself; else NULL. */
    enum plumb_status (*map)(struct plumb_reader *r, struct plumb_history *h,
                             struct plumb_error *err);
    /* ... and validates the one it gave last; else NULL. */
    enum plumb_status (*validate)(const struct plumb_reader *r,
                                  const struct plumb_history *h,
                                  struct plumb_error *err);
    plumb_history_writer *write; /* or NULL */
};

/* Another history begins: what is known of the last one is forgotten. */
void plumb_history_reader_begin(struct plumb_reader *r);

/* How sure the format is that plumb_format_detect() finds. */
enum plumb_format plumb_history_format_guess(const char *data, size_t size,
                                             int *sure);
const struct plumb_history_format_class *plumb_history_format_class(
    enum plumb_format format);

/* What a file announces in its first few KiB, or nowhere. */
enum { PLUMB_DETECT_SIZE = 4096 };

extern const struct plumb_history_format_class plumb_history_format_native;
extern const struct plumb_history_format_class plumb_history_format_jepsen;
extern const struct plumb_history_format_class plumb_history_format_edn;
extern const struct plumb_history_format_class plumb_history_format_callret;
extern const struct plumb_history_format_class plumb_history_format_fastlin;
extern const struct plumb_history_format_class plumb_history_format_fptlin;
extern const struct plumb_history_format_class plumb_history_format_jsonl;
extern const struct plumb_history_format_class plumb_history_format_binary;
extern const struct plumb_history_format_class plumb_history_format_recording;

#endif
