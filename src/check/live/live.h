/* live.h - deciding a history while it happens.
 *
 * Events come from the log of a stream (history/stream.h).  Types that have a
 * *machine* are followed event by event: it keeps what is open or resident and
 * forgets what is settled, and says at once when the events so far are a
 * violation.  Other types, and what a machine declines while all is still there,
 * are decided in batches: all events are kept, and decided whenever there are
 * twice as many, until a moment when nothing is open and every object is empty;
 * then they are forgotten. */
#ifndef PLUMB_CHECK_LIVE_LIVE_H
#define PLUMB_CHECK_LIVE_LIVE_H

#include "history/builder.h"
#include "spec/spec.h"
#include <plumb/check.h>

struct plumb_check_live;

struct plumb_check_live_state {
    /* LINEARIZABLE: so far.  UNDECIDED: from some event on, `why` or `declined`
     * says why. */
    enum plumb_verdict verdict;
    enum plumb_status why;
    const char *declined;
    uint64_t events;   /* followed, or kept for a batch */
    uint64_t decided;  /* of these, the first so many are known to be so */
    uint64_t open;     /* operations */
    uint64_t resident; /* values that machines keep, or operations of a batch */
    bool batches;
    /* NOT: the earliest violating event is one of these, counted from 1. */
    uint64_t maybe, sure;
    uint32_t line;   /* ... of text, where the event `sure` is; 0: not known */
    uint32_t object; /* symbol */
};

/* NULL when memory is used up. */
struct plumb_check_live *plumb_check_live_open(const struct plumb_spec *spec,
                                               struct plumb_budget *budget);
void plumb_check_live_close(struct plumb_check_live *l);

/* Follow the events in the log of `b`, and settle it where that can be done.
 * PLUMB_EINPUT: the specification cannot read an operation.  Once it is not
 * LINEARIZABLE nothing more is followed. */
enum plumb_status plumb_check_live_take(struct plumb_check_live *l,
                                        struct plumb_builder *b,
                                        struct plumb_error *err);

/* For tests: forget whatever can be forgotten, whenever events were taken. */
void plumb_check_live_hurry(struct plumb_check_live *l);

/* Is every event of the stream still there?  Then another specification can
 * follow it from its beginning. */
bool plumb_check_live_has_all(const struct plumb_check_live *l);

/* The stream has ended: decide what was kept, on this budget. */
enum plumb_status plumb_check_live_end(struct plumb_check_live *l,
                                       struct plumb_builder *b,
                                       struct plumb_budget *budget,
                                       struct plumb_error *err);

const struct plumb_check_live_state *plumb_check_live_state(
    const struct plumb_check_live *l);

/* Why it is a violation, in the words of the type; of a batch nothing, because
 * its history and answer are there. */
void plumb_check_live_explain(const struct plumb_check_live *l,
                              struct plumb_base_text *out);

/* Of a batch that is a violation: its history, and a core.  False: of none. */
bool plumb_check_live_batch(const struct plumb_check_live *l,
                            const struct plumb_history **history,
                            const struct plumb_answer **answer);

/* ---- machines ---- */

/* An operation that is open, or returns just now.  Events are counted from 1. */
struct plumb_check_live_op {
    uint64_t call, now; /* now: the event that ends it */
    uint32_t word[3];   /* arguments, then results, as in monitor_input.h */
    uint32_t ticket;    /* the machine's own; 0 at the call */
    uint8_t role, term, nargs, nres;
};

enum plumb_check_live_word {
    PLUMB_LIVE_GOOD,
    PLUMB_LIVE_VIOLATED,
    PLUMB_LIVE_DECLINED, /* it cannot follow this; `declined` says why */
    PLUMB_LIVE_NO_ROOM
};

struct plumb_check_live_numbers;

/* What a machine tells besides. */
struct plumb_check_live_talk {
    const struct plumb_spec *spec;
    struct plumb_budget *budget;
    struct plumb_check_live_numbers
        *numbers;     /* forgets words (live_numbers.h) */
    uint32_t initial; /* the parameter `init`, or NO_WORD */
    const char *declined;
    /* Of a violation: a sentence, with %0, %1 for the values of word[]. */
    const char *reason;
    uint32_t word[2];
};

static inline enum plumb_check_live_word plumb_check_live_declines(
    struct plumb_check_live_talk *talk, const char *why)
{
    talk->declined = why;
    return PLUMB_LIVE_DECLINED;
}

static inline enum plumb_check_live_word plumb_check_live_objects(
    struct plumb_check_live_talk *talk, const char *reason, uint32_t word,
    uint32_t other)
{
    talk->reason = reason;
    talk->word[0] = word;
    talk->word[1] = other;
    return PLUMB_LIVE_VIOLATED;
}

typedef enum plumb_check_live_word plumb_check_live_event(
    void *machine, struct plumb_check_live_op *o);

/* One object. */
struct plumb_check_live_class {
    void *(*open)(struct plumb_check_live_talk *talk); /* NULL: no memory */
    void (*close)(void *machine);
    plumb_check_live_event *call;
    plumb_check_live_event *ret;  /* OK, with its answer */
    plumb_check_live_event *info; /* it never returns, and may take effect */
    plumb_check_live_event *fail; /* it did not take effect, and never will */
    /* Values that are kept.  NULL: those that have numbers. */
    uint64_t (*resident)(const void *machine);
    /* Nothing is open, lost or resident: a new machine would do as well.  NULL:
     * who knows. */
    bool (*idle)(const void *machine);
};

extern const struct plumb_check_live_class
    plumb_check_live_class_set,      /* live_set_class.c */
    plumb_check_live_class_register, /* live_register.c  */
    plumb_check_live_class_map,      /* live_map.c       */
    plumb_check_live_class_multiset; /* live_multiset.c  */

extern const struct plumb_check_live_class plumb_check_live_queue;

/* Its parameters are such that the class can follow it. */
bool plumb_check_live_queue_follows(const struct plumb_spec *spec);

#endif
