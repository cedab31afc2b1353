/* race_log.c - looking at a log, unless there is nothing to see.
 *
 * Small programs do the same again and again: logs without a race are remembered
 * by a hash, and not looked at again.  A later one takes the place of an
 * earlier: to forget costs no more than another look.  Of n hashes the one of
 * something new is among them by chance with a probability of n / 2^64. */
#include "race_log.h"

#include "base/hash.h"
#include "race_prefilter.h"
#include "races.h"

enum { KNOWN_BITS = 14 };

struct race_log race_log;

static struct race_entry entry[RACE_ENTRIES];
static uint64_t without_race[1 << KNOWN_BITS];
static bool raced;

void race_log_open(void)
{
    race_log.next = entry;
    race_log.end = entry + RACE_ENTRIES;
    race_log.take = NULL;
}

bool race_log_is_open(void)
{
    return race_log.end == entry + RACE_ENTRIES;
}

const struct race_entry *race_log_close(uint32_t *count)
{
    *count = (uint32_t)(race_log.next - entry);
    race_log.next = race_log.end = NULL;
    return entry;
}

bool race_entries_look(const struct race_entry *e, const struct race_entry *end)
{
    bool any = false;
    for (; e != end; e++) {
        struct race race;
        if (races_look(e, &race)) {
            scheduler_race(&race);
            any = true;
        }
    }
    return any;
}

void race_log_look(void)
{
    uint32_t count;
    (void)race_log_close(&count);
    raced = race_entries_look(entry, entry + count);
}

/* Two hashes in turn: each entry waits for the last but one only. */
static uint64_t hash_log(const struct race_entry *end)
{
    uint64_t hash[2] = { (uint64_t)(end - entry), 0 };
    for (const struct race_entry *e = entry; e != end; e++) {
        const uint64_t next = hash[0] * 0xd6e8feb86659fd93u;
        hash[0] = hash[1];
        hash[1] = next + plumb_base_mix(e->where, e->what);
    }
    return plumb_base_mix(hash[0], hash[1]);
}

static bool look_closely(void)
{
    races_now();
    return !raced && !races_incomplete();
}

void race_log_settle(void)
{
    const struct race_entry *const end = race_log.next;
    const uint64_t hash = hash_log(end);
    uint64_t *const known = &without_race[hash >> (64 - KNOWN_BITS)];
    if (*known != hash &&
        (races_prefilter_is_clear(entry, end) || look_closely()))
        *known = hash;
}
