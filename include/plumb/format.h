/* format.h - histories as files: one name per format, readers and writers. */
#ifndef PLUMB_FORMAT_H
#define PLUMB_FORMAT_H

#include <plumb/history.h>

#ifdef __cplusplus
extern "C" {
#endif

enum plumb_format {
    PLUMB_FORMAT_AUTO,     /* look at the first bytes                       */
    PLUMB_FORMAT_NATIVE,   /* Wing & Gong, Appendix A, read liberally       */
    PLUMB_FORMAT_JEPSEN,   /* Jepsen's log lines                            */
    PLUMB_FORMAT_EDN,      /* Jepsen/Knossos operation maps; Porcupine's kv */
    PLUMB_FORMAT_CALLRET,  /* LiMo and Violin: [1] call push(2)             */
    PLUMB_FORMAT_FASTLIN,  /* method value start end                        */
    PLUMB_FORMAT_FPTLIN,   /* process start end METHOD values               */
    PLUMB_FORMAT_JSONL,    /* one JSON object per event                     */
    PLUMB_FORMAT_BINARY,   /* mapped, not parsed                            */
    PLUMB_FORMAT_RECORDING /* what <plumb/record.h> writes                  */
};

/* "native", "jepsen", ... and back; AUTO / NULL when there is none. */
const char *plumb_format_name(enum plumb_format format);
enum plumb_format plumb_format_by_name(const char *name);

/* What `size` bytes of data look like; AUTO if like nothing we know. */
enum plumb_format plumb_format_detect(const char *data, size_t size);

enum plumb_tie_rule {
    PLUMB_TIES_OF_FORMAT, /* fastlin, fptlin: return first; others: call first
                           */
    PLUMB_TIES_CALL,
    PLUMB_TIES_RETURN
};

/* A source of histories.  `data` must outlive the reader, and, for the binary
 * format, every history it gave. */
struct plumb_reader;

enum plumb_status plumb_reader_open(struct plumb_reader **reader,
                                    const char *data, size_t size,
                                    enum plumb_format format,
                                    enum plumb_tie_rule ties,
                                    struct plumb_budget *budget,
                                    struct plumb_error *err);
enum plumb_format plumb_reader_format(const struct plumb_reader *reader);

/* The next history: PLUMB_OK and `*h` is the caller's to release, PLUMB_END,
 * or an error, also PLUMB_ETIME and PLUMB_ESTOP.  After PLUMB_EINPUT the next
 * call goes on where the format allows it (native: after the next blank line),
 * else gives PLUMB_END.  A binary history is not validated yet. */
enum plumb_status plumb_reader_next(struct plumb_reader *reader,
                                    struct plumb_history *h,
                                    struct plumb_error *err);

/* Validate the history that plumb_reader_next() gave last, unless it is known
 * to be valid.  The error's place is in the file, and nothing behind a
 * malformed history is read; `h` stays the caller's to release. */
enum plumb_status plumb_reader_validate(struct plumb_reader *reader,
                                        struct plumb_history *h,
                                        struct plumb_error *err);
void plumb_reader_close(struct plumb_reader *reader);

/* Some sources (jepsen, edn) give a call and its response one value in common.
 * Whoever knows the specification that will judge their histories says how many
 * arguments operations take there (plumb_spec_takes()); else that is told by
 * their names.  `context` must outlive the reader. */
struct plumb_signature {
    bool (*takes)(const void *context, const char *name, size_t length,
                  size_t nargs);
    const void *context;
};
void plumb_reader_signature(struct plumb_reader *reader,
                            struct plumb_signature signature);

/* Of a recording that was not closed: nobody writes to it any more, and nobody
 * did while the bytes were copied, so that all of it can be used.  Unless this
 * is said, what came last is left out. */
void plumb_reader_is_whole(struct plumb_reader *reader);

/* Keep the times of events, for histories that are read from now on. */
void plumb_reader_keep_times(struct plumb_reader *reader);

/* What was left out of the history given last, in words; or NULL. */
const char *plumb_reader_note(const struct plumb_reader *reader);

/* Where writers put their bytes.  Nonzero stops the writer with PLUMB_EIO. */
struct plumb_sink {
    int (*write)(void *context, const void *data, size_t size);
    void *context;
};

/* What a format could not keep: a count per kind, named for the user. */
enum plumb_loss {
    PLUMB_LOSS_SPEC,  /* the specification the history names           */
    PLUMB_LOSS_EMPTY, /* a history without operations, left out whole  */
    PLUMB_LOSSES
};
const char *plumb_loss_name(enum plumb_loss loss);

/* Append `h` to a file of `format`, the first one if `index` is 0.  `losses`
 * is added to.  Formats that can be written: native, jsonl, binary. */
enum plumb_status plumb_history_write(const struct plumb_history *h,
                                      enum plumb_format format, size_t index,
                                      const struct plumb_sink *sink,
                                      uint64_t losses[PLUMB_LOSSES],
                                      struct plumb_error *err);

#ifdef __cplusplus
}
#endif
#endif
