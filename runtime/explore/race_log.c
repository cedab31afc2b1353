/* race_log.c - looking at a log, unless one like it was looked at.
 *
 * Logs without a race are remembered by a hash, and so are their classes
 * (reads_from.h): the same log again is found in no time, another of its class
 * in some, and both in less than it takes to look.  A later one takes the place
 * of an earlier: to forget costs no more than another look.  Of n hashes the one
 * of something new is among them by chance with a probability of n / 2^64. */
#include "race_log.h"

#include "base/hash.h"
#include "races.h"
#include "reads_from.h"

enum { ENTRIES = 1 << 12, LOG_BITS = 14, CLASS_BITS = 18 };

struct race_log race_log;

static struct race_entry entry[ENTRIES];
static uint64_t logs[1 << LOG_BITS], classes[1 << CLASS_BITS];
static bool raced;

void race_log_open(void)
{
    race_log.next = entry;
    race_log.end = entry + ENTRIES;
}

void race_log_look(void)
{
    const struct race_entry *const end = race_log.next;
    race_log.next = race_log.end = NULL;
    raced = false;
    for (const struct race_entry *e = entry; e != end; e++) {
        struct race race;
        if (races_look(e, &race)) {
            stage_race(&race);
            raced = true;
        }
    }
}

/* Two hashes in turn: each entry waits for the last but one only. */
static uint64_t hash_log(const struct race_entry *end)
{
    uint64_t hash[2] = { (uint64_t)(end - entry), 0 };
    for (const struct race_entry *e = entry; e != end; e++) {
        const uint64_t next = hash[0] * 0xd6e8feb86659fd93u;
        hash[0] = hash[1];
        hash[1] = next + plumb_mix(e->where, e->what);
    }
    return plumb_mix(hash[0], hash[1]);
}

static bool look_without_race(void)
{
    races_now();
    return !raced && !races_incomplete();
}

void race_log_settle(void)
{
    const struct race_entry *const end = race_log.next;
    const uint64_t hash = hash_log(end);
    uint64_t *const log = &logs[hash >> (64 - LOG_BITS)];
    if (*log == hash)
        return;
    const uint64_t class = reads_from(entry, end);
    uint64_t *const known = &classes[class >> (64 - CLASS_BITS)];
    if ((!class || *known != class) && !look_without_race())
        return;
    *log = hash;
    if (class)
        *known = class;
}
