/* trace_names.h - what the addresses and values of a trace are called.
 *
 *     head   queue.tail   table[3]     variables, with their members
 *     node#2.next                      the second block of that type
 *     heap#1+8                         a block of which no type is known
 *     P1:hazard[0]                     thread-local
 *     mine@P1.locked                   a variable on a stack
 *     qnode@P1.locked                  ... or of its type, known by a pointer
 *
 * The same address may be one block now and another later: names are asked for
 * as of a record.  Everything in the job is suspect: what cannot be is treated
 * as not known. */
#ifndef PLUMB_APP_EXPLORE_TRACE_TRACE_NAMES_H
#define PLUMB_APP_EXPLORE_TRACE_TRACE_NAMES_H

#include "app/binary/debug_symbols.h"
#include "base/text.h"
#include "runtime/explore/job/job.h"

#define TRACE_NONE UINT32_MAX /* of records: none */

enum { TRACE_FRAMES = 16, TRACE_LOCALS = 256 };

/* A block of the heap: from one record until another. */
struct explore_trace_block {
    uint64_t at, size;
    uint32_t from, freed;    /* records; TRACE_NONE: it never was */
    binary_symbol_type type; /* of what it begins with; or 0     */
    bool by_site;            /* its allocation tells the type    */
    bool doubtful;           /* pointers to it contradict        */
    bool several;            /* an array of them, ...            */
    uint64_t each;           /* ... of so many bytes             */
    unsigned number;         /* among those of its name, from 1  */
    uint32_t before;         /* the block whose memory this is, or TRACE_NONE */
};

/* Something on a stack that is pointed to. */
struct explore_trace_local {
    uint64_t at, size;
    unsigned thread;
    binary_symbol_type type;
    uint32_t from, to; /* records between which it is there */
    bool doubtful;     /* pointers to it contradict         */
};

struct explore_trace_names {
    const struct job *job;
    const struct binary_symbols *symbols; /* may be NULL */
    bool ascii;
    uint32_t first;  /* record of the execution: before it, of setup  */
    uint32_t count;  /* records that are there                        */
    uint32_t *frame; /* of each record, the ENTER it is in; or NONE   */
    struct explore_trace_frames *frames;
    struct explore_trace_block *block;
    uint32_t blocks;
    uint64_t low, high; /* blocks are between these */
    struct explore_trace_local *local;
    uint32_t locals;
    struct explore_trace_place_cache *cache;
};

/* False when memory is used up. */
bool explore_trace_names_init(struct explore_trace_names *n,
                              const struct job *job,
                              const struct binary_symbols *symbols, bool ascii);
void explore_trace_names_release(struct explore_trace_names *n);

/* Is record i one that can be? */
bool explore_trace_is_sound(const struct explore_trace_names *n, uint32_t i);

/* "P1" is the first process of an object, "main" who sets the scene for them;
 * other threads are "T0", ... */
enum { TRACE_THREAD_NAME = 8 };
const char *explore_trace_thread(const struct job *job, unsigned thread,
                                 char name[TRACE_THREAD_NAME]);

/* What [at, at + size) is called at record i; `size` 0: whatever begins there.
 * Always gives a name, and true if it is more than a number. */
bool explore_trace_spot(const struct explore_trace_names *n, uint32_t i,
                        uint64_t at, uint32_t size,
                        struct binary_symbol_spot *spot);

/* A value of so many bytes that is, or was, in that spot. */
void explore_trace_value(const struct explore_trace_names *n, uint32_t i,
                         const struct binary_symbol_spot *spot, uint32_t size,
                         job_trace_value value, struct plumb_base_text *out);

/* The block that was at this address at record i; NULL if none was. */
const struct explore_trace_block *explore_trace_block_at(
    const struct explore_trace_names *n, uint32_t i, uint64_t at);
void explore_trace_block_name(const struct explore_trace_names *n,
                              const struct explore_trace_block *b,
                              struct plumb_base_text *out);

#endif
