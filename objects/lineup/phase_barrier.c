/* phase_barrier.c - participants that wait for each other, phase by phase.
 *
 * Barrier of .NET 4.0, a subject of Line-Up (Burckhardt et al., PLDI 2010,
 * table 1), made again from its documented behaviour.  One word has how many
 * participants there are, how many have arrived, and the phase; it changes by
 * CAS.  Who completes the phase wakes the others.  A barrier begins with two
 * participants.
 *
 * cancel_token cancels the token with which signal_and_wait is called: who
 * comes later is refused, and who waits takes back its arrival, unless the
 * phase has ended.
 *
 * L  It is not linearizable, and no barrier is (section 5.3): of two calls of
 *    signal_and_wait neither returns before the other is called, so no serial
 *    execution has the answers.  All other operations take effect where they
 *    read or change the word.
 *
 * SETLIN: it names the specification that allows for that.  Calls of
 * signal_and_wait take effect together, where the last of them arrives.
 *
 * FAULT_EARLY: who was woken takes it that the phase has ended, although the
 * token may have been canceled.
 *
 * FAULT_SECOND_READ: the phase to wait for is read again after the arrival.  If
 * that phase has ended meanwhile, nobody ends the one that it waits for. */
#include "../common/lock.h"

#include <stdatomic.h>

enum { INITIAL = 2, MOST = 255 };

struct barrier {
    uint8_t participants, arrived;
    uint16_t phase;
};

static _Atomic struct barrier word;
static atomic_bool canceled;
static pthread_mutex_t mutex;
static pthread_cond_t changed; /* the phase, or canceled */

static void setup(void)
{
    pthread_mutex_init(&mutex, NULL);
    pthread_cond_init(&changed, NULL);
    atomic_store(&word, ((struct barrier){ .participants = INITIAL }));
    atomic_store(&canceled, false);
}

static void teardown(void)
{
    pthread_cond_destroy(&changed);
    pthread_mutex_destroy(&mutex);
}

static struct barrier look(void)
{
    return atomic_load(&word);
}

static void wake_all(void)
{
    lock(&mutex);
    pthread_cond_broadcast(&changed);
    unlock(&mutex);
}

/* False, with *seen as it is now, if it is not what it was. */
static bool change(struct barrier *seen, struct barrier next)
{
    if (atomic_compare_exchange_strong(&word, seen, next))
        return true;
    plumb_retry();
    return false;
}

/* ---- arriving ---- */

/* If all have arrived the next phase begins. */
static struct barrier advanced(struct barrier b)
{
    if (b.arrived == b.participants && b.arrived > 0) {
        b.arrived = 0;
        b.phase++;
    }
    return b;
}

/* False if the phase has ended meanwhile. */
static bool withdraw(uint16_t phase)
{
    struct barrier seen = look();
    while (seen.phase == phase) {
        struct barrier next = seen;
        next.arrived--;
        if (change(&seen, next))
            return true;
    }
    return false;
}

static void wait_for_end(plumb_invocation *i, uint16_t phase)
{
    lock(&mutex);
    while (look().phase == phase && !atomic_load(&canceled))
        pthread_cond_wait(&changed, &mutex);
    unlock(&mutex);
#ifdef FAULT_EARLY
    (void)i;
    withdraw(phase);
#else
    if (withdraw(phase))
        plumb_term(i, "canceled");
#endif
}

static void signal_and_wait(plumb_invocation *i)
{
    struct barrier seen = look(), next;
    if (atomic_load(&canceled)) {
        plumb_term(i, "canceled");
        return;
    }
    do {
        if (seen.participants == 0) {
            plumb_term(i, "invalid");
            return;
        }
        next = seen;
        next.arrived++;
        next = advanced(next);
    } while (!change(&seen, next));
    if (next.phase != seen.phase)
        wake_all();
    else
#ifdef FAULT_SECOND_READ
        wait_for_end(i, look().phase);
#else
        wait_for_end(i, seen.phase);
#endif
}

static void cancel_token(plumb_invocation *i)
{
    (void)i;
    atomic_store(&canceled, true);
    wake_all();
}

/* ---- participants ---- */

/* Answers the phase in which it takes part first. */
static void add_participant(plumb_invocation *i)
{
    struct barrier seen = look(), next;
    do {
        if (seen.participants == MOST) {
            plumb_term(i, "invalid");
            return;
        }
        next = seen;
        next.participants++;
    } while (!change(&seen, next));
    plumb_return(i, next.phase);
}

/* Nobody who has arrived may leave. */
static void remove_participant(plumb_invocation *i)
{
    struct barrier seen = look(), next;
    do {
        if (seen.participants == seen.arrived) {
            plumb_term(i, "invalid");
            return;
        }
        next = seen;
        next.participants--;
        next = advanced(next);
    } while (!change(&seen, next));
    if (next.phase != seen.phase)
        wake_all();
}

static void participant_count(plumb_invocation *i)
{
    plumb_return(i, look().participants);
}

static void participants_remaining(plumb_invocation *i)
{
    const struct barrier b = look();
    plumb_return(i, b.participants - b.arrived);
}

static void current_phase_number(plumb_invocation *i)
{
    plumb_return(i, look().phase);
}

#ifdef SETLIN
#define SPEC "setlin:barrier:n=2"
#else
#define SPEC NULL
#endif

PLUMB_OBJECT(.name = "B", .spec = SPEC, .setup = setup, .teardown = teardown,
             .operations = {
                 { "signal_and_wait", signal_and_wait },
                 { "participants_remaining", participants_remaining },
                 { "remove_participant", remove_participant },
                 { "cancel_token", cancel_token },
                 { "current_phase_number", current_phase_number },
                 { "participant_count", participant_count },
                 { "add_participant", add_participant } });
