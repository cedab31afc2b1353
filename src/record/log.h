/* log.h - what the processes of one history wrote down, each for itself.
 *
 * A process writes an entry before it calls and completes it after the return;
 * nobody else writes there, and nothing is locked.  Time is one counter that
 * all processes share: a call *loads* it, a return *adds* one to it.  So
 *
 *     A returned before B was called   iff   A.ret <= B.call
 *
 * and a call disturbs nobody.  Entries hold no pointers: they lie in memory
 * that is shared with whoever decides the history, and stay readable when the
 * process that wrote them was killed. */
#ifndef PLUMB_RECORD_LOG_H
#define PLUMB_RECORD_LOG_H

#include <plumb/object.h>
#include <plumb/value.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PLUMB_MAX_PROCESSES = 64 };
enum {
    PLUMB_ENTRY_RESULTS = 100,
    PLUMB_ENTRY_TERM = 24,
    PLUMB_ENTRY_TEXT = 256
};

/* What the log has no room for: the history cannot be told. */
enum plumb_record_flaw {
    PLUMB_FLAW_RESULTS = 1, /* more than PLUMB_ENTRY_RESULTS            */
    PLUMB_FLAW_TERM = 2,    /* longer than PLUMB_ENTRY_TERM - 1         */
    PLUMB_FLAW_TEXT = 4,    /* texts longer than PLUMB_ENTRY_TEXT       */
    PLUMB_FLAW_ARGUMENT = 8 /* an argument was asked for that is not there,
                               or as a number what is a text            */
};

struct plumb_record_entry {
    uint64_t call;
    _Atomic uint64_t ret; /* 0 while the call is open */
    uint8_t operation, nargs, nres, flaws;
    uint16_t text_used;
    bool blocked; /* it said so, plumb_block(): it never returns */
    char term[PLUMB_ENTRY_TERM]; /* "" is ok */
    /* The arguments, then the results; a text is its offset in text[]. */
    struct plumb_value value[PLUMB_MAX_ARGUMENTS + PLUMB_ENTRY_RESULTS];
    char text[PLUMB_ENTRY_TEXT];
};

/* Make it an entry for operation number `operation`, without arguments yet. */
void plumb_record_entry_begin(struct plumb_record_entry *e, unsigned operation);

/* One more argument. */
void plumb_record_entry_number(struct plumb_record_entry *e, int64_t number);
void plumb_record_entry_text(struct plumb_record_entry *e, const char *text,
                             size_t length);

/* Copy a text: its offset in text[].  PLUMB_FLAW_TEXT if it finds no room. */
uint16_t plumb_record_entry_keep(struct plumb_record_entry *e, const char *text,
                                 size_t length);

static inline uint64_t plumb_record_stamp_call(const _Atomic uint64_t *clock)
{
    /* acquire: what the operation does comes later */
    return atomic_load_explicit(clock, memory_order_acquire);
}

static inline uint64_t plumb_record_stamp_return(_Atomic uint64_t *clock)
{
    /* All the operation stored must be seen by whoever is called later, not
     * wait in this core's store buffer: else correct objects look faulty. */
    atomic_thread_fence(memory_order_seq_cst);
    return atomic_fetch_add_explicit(clock, 1, memory_order_seq_cst) + 1;
}

#endif
