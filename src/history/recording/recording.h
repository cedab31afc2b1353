/* recording.h - the events of a recording, in the order of time.
 *
 * For whoever wants them while they happen: open a file that is being written
 * and ask for the next event, again and again.  What plumb_reader_open() does
 * with a recording stands on the same.
 *
 * An order that could make a correct object look wrong is never given: if there
 * is doubt who came first, calls come early and returns late. */
#ifndef PLUMB_HISTORY_RECORDING_RECORDING_H
#define PLUMB_HISTORY_RECORDING_RECORDING_H

#include <plumb/history.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct plumb_history_recorded_event {
    bool is_call;
    /* Who: 0, 1, ...  A process has at most one open call.  A thread is one
     * process, unless its clock leaves in doubt whether two of its operations
     * overlap, or it has left an operation without an end: then the next one
     * is another process's. */
    uint32_t process;
    uint32_t thread; /* 1, 2, ... */
    uint32_t object; /* symbol; 0 of a return */
    uint32_t name;   /* symbol: the operation's, or the term of a return */
    uint32_t values;
    const struct plumb_value *value; /* until the next event is asked for */
    uint64_t time;                   /* its stamp, in ticks               */
};

enum plumb_history_recorded {
    PLUMB_RECORDED_EVENT,
    PLUMB_RECORDED_LATER, /* nothing is settled that was not given: ask again */
    PLUMB_RECORDED_END,   /* that was all, and nobody writes any more         */
    PLUMB_RECORDED_ERROR
};

struct plumb_history_recording;

/* Read the file behind `fd` while it is written.  The descriptor stays the
 * caller's, and open until the reader is closed. */
enum plumb_status plumb_history_recording_follow(
    struct plumb_history_recording **reader, int fd,
    struct plumb_budget *budget, struct plumb_error *err);

/* Read `size` bytes, which lie at a multiple of 8 and outlive the reader.  Is
 * it `whole`: does nobody write there any more, and did nobody while it was
 * copied?  Else what is not surely complete is left out; a file that was closed
 * says so itself. */
enum plumb_status plumb_history_recording_open(
    struct plumb_history_recording **reader, const void *data, size_t size,
    bool whole, struct plumb_budget *budget, struct plumb_error *err);
void plumb_history_recording_close(struct plumb_history_recording *reader);

enum plumb_history_recorded plumb_history_recording_next(
    struct plumb_history_recording *reader,
    struct plumb_history_recorded_event *event, struct plumb_error *err);

/* What symbols of events stand for, and strings among their values. */
const struct plumb_symbols *plumb_history_recording_symbols(
    const struct plumb_history_recording *reader);

/* Forget texts of values that were given, if there is room to do so.  Symbols
 * that are needed get other numbers; the last event given is one no more. */
void plumb_history_recording_forget_texts(
    struct plumb_history_recording *reader);

/* Where process number `process` comes from: P3, or P3.2. */
void plumb_history_recording_process_name(
    const struct plumb_history_recording *reader, uint32_t process,
    char name[32]);

/* The symbol of the specification that it names, or 0. */
uint32_t plumb_history_recording_spec(
    const struct plumb_history_recording *reader);

/* What was left out, in words, after the end; or NULL. */
const char *plumb_history_recording_note(
    const struct plumb_history_recording *reader);

/* Is the file behind `fd` what a recorder wrote that has gone, be it closed or
 * not?  Then it is whole. */
bool plumb_history_recording_is_whole(int fd);

#endif
