/* recording.c - the events of a recording, in the order of time.
 *
 * Threads stamp events, and their streams are merged by stamps.  Three things
 * have to be right although clocks of processors differ a little, and although
 * the file is being written while we read:
 *
 *   1. No return is given before a call that may have been earlier.  A return
 *      waits in a queue until all events are later than its stamp by more than
 *      the uncertainty of the clock.
 *   2. No return is given before the call of an operation whose effect it shows.
 *      That call was in the file when the return was: its head is stored before
 *      the operation begins.  So a return that we have found waits until, once
 *      more, we have looked for events of all threads: it is given in a later
 *      *round* than it was found in.  What is found later still was called
 *      after it, whatever its stamp says.
 *   3. If events of a thread are lost, nothing that comes later is given: an
 *      end of the file is a moment in time.
 *
 * With 1 a return may still wait when its thread calls again.  Then the next
 * operation is given to another process: the two overlap, for all we know. */
#include "base/memory.h"
#include "recording_state.h"
#include <assert.h>
#include <string.h>

/* ---- the next event of each thread ---- */

static bool has_names(const struct plumb_history_recording *r,
                      const struct plumb_history_track_event *e)
{
    return e->name < r->names_known &&
           (e->kind == RECORDING_RETURN ||
            (e->name > 0 && e->object > 0 && e->object < r->objects_known));
}

/* Its names were in the table before it was there. */
static bool check_event(struct plumb_history_recording *r,
                        const struct plumb_history_track *t)
{
    const uint64_t at = plumb_history_chunk_place(t->desk);
    if (!has_names(r, &t->next)) {
        if (!plumb_history_recording_learn_names(r))
            return false;
        if (!has_names(r, &t->next))
            return plumb_history_fail_at_byte(
                r, at, "an event of this thread has no name");
    }
    return t->next.kind != RECORDING_RETURN || t->open ||
           plumb_history_fail_at_byte(
               r, at, "a return of this thread has no matching call");
}

static bool look_at(struct plumb_history_recording *r, size_t thread)
{
    const uint64_t last = r->track[thread].place.last;
    if (r->track[thread].state != TRACK_DRY)
        return true;
    bool good = plumb_history_recording_look(r, &r->track[thread], false);
    struct plumb_history_track *const t = &r->track[thread];
    if (good && t->state == TRACK_READY)
        good = check_event(r, t);
    if (good)
        return true;
    t->state = TRACK_TORN;
    return plumb_history_recording_lose(r, last);
}

static void heed_stop(struct plumb_history_recording *r)
{
    const uint64_t stopped =
        plumb_history_load(&plumb_history_header(r)->stopped);
    if (stopped)
        plumb_history_recording_limit(
            r, plumb_history_minus(stopped, r->uncertainty),
            "the recorder stopped early (was the disk full?); later events are "
            "left out");
}

bool plumb_history_recording_begin_round(struct plumb_history_recording *r)
{
    heed_stop(r);
    bool good = plumb_history_recording_learn(r);
    for (size_t i = 0; i < r->tracks && good; i++)
        good = look_at(r, i);
    r->round++;
    return good;
}

static struct plumb_history_track *earliest(struct plumb_history_recording *r)
{
    struct plumb_history_track *first = NULL;
    uint64_t least = FOR_EVER;
    for (size_t i = 0; i < r->tracks; i++) {
        struct plumb_history_track *const t = &r->track[i];
        if (t->state == TRACK_READY && t->next.time < least) {
            first = t;
            least = t->next.time;
        }
    }
    return first;
}

/* ---- giving events ---- */

static void give(struct plumb_history_recording *r,
                 const struct plumb_history_track_event *e, uint32_t lane,
                 struct plumb_history_recorded_event *event)
{
    const bool is_call = e->kind == RECORDING_CALL;
    assert(lane < r->lanes && e->name < r->names_known);
    r->given = *e;
    *event = (struct plumb_history_recorded_event){
        .is_call = is_call,
        .process = lane,
        .thread = r->lane[lane].thread,
        .object = is_call ? r->object[e->object] : 0,
        .name = r->name[e->name],
        .values = e->values,
        .value = r->given.value,
        .time = e->time,
    };
}

static bool take_lane(struct plumb_history_recording *r,
                      struct plumb_history_track *t)
{
    if (t->idle) {
        t->lane = t->idle - 1;
        t->idle = r->lane[t->lane].next;
        return true;
    }
    if (!PLUMB_GROW(r->budget, r->lane, r->lane_capacity, r->lanes + 1))
        return false;
    r->lane[r->lanes] =
        (struct plumb_history_lane){ .thread = (uint32_t)(t - r->track) + 1,
                                     .number = ++t->lanes };
    t->lane = (uint32_t)r->lanes++;
    return true;
}

/* A call that is open already has been left, and stays open. */
static bool give_call(struct plumb_history_recording *r,
                      struct plumb_history_track *t,
                      struct plumb_history_recorded_event *event)
{
    if (!take_lane(r, t))
        return false;
    give(r, &t->next, t->lane, event);
    t->open = true;
    return true;
}

static bool make_queue_longer(struct plumb_history_recording *r)
{
    const size_t old = r->queue_capacity;
    if (!PLUMB_GROW(r->budget, r->queue, r->queue_capacity, old + 1))
        return false;
    /* What has come round goes behind what was at the end. */
    const size_t round =
        r->first + r->waiting > old ? r->first + r->waiting - old : 0;
    const size_t room = r->queue_capacity - old;
    const size_t moved = round < room ? round : room;
    memcpy(r->queue + old, r->queue, moved * sizeof *r->queue);
    memmove(r->queue, r->queue + moved, (round - moved) * sizeof *r->queue);
    return true;
}

static bool queue_return(struct plumb_history_recording *r,
                         struct plumb_history_track *t)
{
    assert(t->open && r->waiting <= r->queue_capacity);
    if (r->waiting == r->queue_capacity && !make_queue_longer(r))
        return false;
    const size_t at = (r->first + r->waiting++) % r->queue_capacity;
    r->queue[at] =
        (struct plumb_history_waiting){ .round = r->round,
                                        .lane = t->lane,
                                        .thread = (uint32_t)(t - r->track),
                                        .event = t->next };
    t->open = false;
    return true;
}

static void give_return(struct plumb_history_recording *r,
                        struct plumb_history_recorded_event *event)
{
    assert(r->waiting > 0);
    const struct plumb_history_waiting *const w = &r->queue[r->first];
    struct plumb_history_track *const t = &r->track[w->thread];
    give(r, &w->event, w->lane, event);
    r->lane[w->lane].next = t->idle;
    t->idle = w->lane + 1;
    r->first = (r->first + 1) % r->queue_capacity;
    r->waiting--;
}

/* ---- the next one ---- */

/* Nobody writes any more?  Asked when there was nothing to read: the answer is
 * worth something if then there is nothing again. */
static bool heed_end(struct plumb_history_recording *r)
{
    if (!plumb_history_recording_heed_close(r))
        return false;
    r->file.final = r->file.final || !plumb_history_recording_is_locked(r->fd);
    return true;
}

/* What to do next. */
enum step {
    GIVE_RETURN,
    TAKE_EVENT, /* of the earliest thread */
    LOOK_AGAIN,
    FIND_NOTHING, /* and nothing waits */
    FINISH
};

static enum step next_step(const struct plumb_history_recording *r,
                           const struct plumb_history_track *t)
{
    const uint64_t time = t ? t->next.time : FOR_EVER;
    const uint64_t bound = time < r->limit ? time : r->limit;
    const bool settled = r->fd < 0 || r->file.final;
    if (r->waiting > 0) {
        const struct plumb_history_waiting *const w = &r->queue[r->first];
        if (w->event.time + r->uncertainty < bound)
            return settled || w->round < r->round ? GIVE_RETURN : LOOK_AGAIN;
    }
    if (time <= r->limit && t)
        return TAKE_EVENT;
    return r->limit < FOR_EVER && (t || settled) ? FINISH : FIND_NOTHING;
}

/* `gave`: there is an event. */
static bool take_event(struct plumb_history_recording *r,
                       struct plumb_history_track *t,
                       struct plumb_history_recorded_event *event, bool *gave)
{
    *gave = t->next.kind == RECORDING_CALL;
    if (!(*gave ? give_call(r, t, event) : queue_return(r, t)))
        return plumb_history_recording_no_room(r);
    t->state = TRACK_DRY;
    return look_at(r, (size_t)(t - r->track));
}

/* Nothing is there, and nothing waits. */
static enum plumb_history_recorded find_nothing(
    struct plumb_history_recording *r, bool *looked)
{
    if (r->fd < 0 || r->file.final)
        return PLUMB_RECORDED_END;
    if (*looked && !heed_end(r))
        return PLUMB_RECORDED_ERROR;
    if (*looked && !r->file.final)
        return PLUMB_RECORDED_LATER;
    *looked = true;
    return plumb_history_recording_begin_round(r) ? PLUMB_RECORDED_EVENT
                                                  : PLUMB_RECORDED_ERROR;
}

enum plumb_history_recorded plumb_history_recording_next(
    struct plumb_history_recording *r,
    struct plumb_history_recorded_event *event, struct plumb_error *err)
{
    bool looked = false, gave = false;
    r->err = err;
    while (!gave) {
        struct plumb_history_track *const t = earliest(r);
        bool good = true;
        enum plumb_history_recorded found = PLUMB_RECORDED_EVENT;
        switch (next_step(r, t)) {
        case GIVE_RETURN:
            give_return(r, event);
            gave = true;
            break;
        case TAKE_EVENT:
            good = take_event(r, t, event, &gave);
            break;
        case LOOK_AGAIN:
            good = plumb_history_recording_begin_round(r);
            break;
        case FIND_NOTHING:
            found = find_nothing(r, &looked);
            break;
        case FINISH:
            return PLUMB_RECORDED_END;
        }
        if (!good)
            return PLUMB_RECORDED_ERROR;
        if (found != PLUMB_RECORDED_EVENT)
            return found;
    }
    return PLUMB_RECORDED_EVENT;
}
