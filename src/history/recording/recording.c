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
#include <string.h>

/* ---- the next event of each thread ---- */

static bool has_names(const struct plumb_history_recording_reader *r,
                      const struct plumb_history_track_event *e)
{
    return e->name < r->names_known &&
           (e->kind == RECORDING_RETURN ||
            (e->name > 0 && e->object > 0 && e->object < r->objects_known));
}

/* Its names were in the table before it was there. */
static enum plumb_status check_event(
    struct plumb_history_recording_reader *r,
    const struct plumb_history_recording_track *t, struct plumb_error *err)
{
    const uint64_t at = plumb_history_recording_place(t->desk);
    enum plumb_status status = PLUMB_OK;
    if (!has_names(r, &t->next)) {
        status = plumb_history_recording_learn_names(r, err);
        if (status == PLUMB_OK && !has_names(r, &t->next))
            return plumb_history_fail_at_byte(
                err, at, "an event of this thread has no name");
    }
    if (t->next.kind == RECORDING_RETURN && !t->open)
        return plumb_history_fail_at_byte(
            err, at, "a return of this thread has no matching call");
    return status;
}

static enum plumb_status look_at(struct plumb_history_recording_reader *r,
                                 size_t thread, struct plumb_error *err)
{
    const uint64_t last = r->track[thread].place.last;
    if (r->track[thread].state != TRACK_DRY)
        return PLUMB_OK;
    enum plumb_status status =
        plumb_history_recording_look(r, &r->track[thread], false, err);
    struct plumb_history_recording_track *const t = &r->track[thread];
    if (status == PLUMB_OK && t->state == TRACK_READY)
        status = check_event(r, t, err);
    if (status == PLUMB_OK)
        return PLUMB_OK;
    t->state = TRACK_TORN;
    return plumb_history_recording_lose(r, last, err);
}

static void heed_stop(struct plumb_history_recording_reader *r)
{
    const uint64_t stopped =
        plumb_history_load(&plumb_history_header(r)->stopped);
    if (stopped)
        plumb_history_recording_limit(
            r, plumb_history_minus(stopped, r->uncertainty),
            "the recorder stopped early (was the disk full?); later events are "
            "left out");
}

enum plumb_status plumb_history_recording_begin_round(
    struct plumb_history_recording_reader *r, struct plumb_error *err)
{
    heed_stop(r);
    enum plumb_status status = plumb_history_recording_learn(r, err);
    for (size_t i = 0; i < r->tracks && status == PLUMB_OK; i++)
        status = look_at(r, i, err);
    r->round++;
    return status;
}

static struct plumb_history_recording_track *earliest(
    struct plumb_history_recording_reader *r)
{
    struct plumb_history_recording_track *first = NULL;
    uint64_t least = FOR_EVER;
    for (size_t i = 0; i < r->tracks; i++) {
        struct plumb_history_recording_track *const t = &r->track[i];
        if (t->state == TRACK_READY && t->next.time < least) {
            first = t;
            least = t->next.time;
        }
    }
    return first;
}

/* ---- giving events ---- */

static void give(struct plumb_history_recording_reader *r,
                 const struct plumb_history_track_event *e, uint32_t lane,
                 struct plumb_history_recorded_event *event)
{
    const bool is_call = e->kind == RECORDING_CALL;
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

static bool take_lane(struct plumb_history_recording_reader *r,
                      struct plumb_history_recording_track *t)
{
    void *block = r->lane;
    if (t->idle) {
        t->lane = t->idle - 1;
        t->idle = r->lane[t->lane].next;
        return true;
    }
    if (!plumb_base_grow(r->budget, &block, &r->lane_capacity, r->lanes + 1,
                         sizeof *r->lane))
        return false;
    r->lane = block;
    r->lane[r->lanes] =
        (struct plumb_history_lane){ .thread = (uint32_t)(t - r->track) + 1,
                                     .number = ++t->lanes };
    t->lane = (uint32_t)r->lanes++;
    return true;
}

/* A call that is open already has been left, and stays open. */
static bool give_call(struct plumb_history_recording_reader *r,
                      struct plumb_history_recording_track *t,
                      struct plumb_history_recorded_event *event)
{
    if (!take_lane(r, t))
        return false;
    give(r, &t->next, t->lane, event);
    t->open = true;
    return true;
}

static bool make_queue_longer(struct plumb_history_recording_reader *r)
{
    const size_t old = r->queue_capacity;
    void *block = r->queue;
    if (!plumb_base_grow(r->budget, &block, &r->queue_capacity, old + 1,
                         sizeof *r->queue))
        return false;
    r->queue = block;
    /* What has come round goes behind what was at the end. */
    const size_t round =
        r->first + r->waiting > old ? r->first + r->waiting - old : 0;
    const size_t room = r->queue_capacity - old;
    const size_t moved = round < room ? round : room;
    memcpy(r->queue + old, r->queue, moved * sizeof *r->queue);
    memmove(r->queue, r->queue + moved, (round - moved) * sizeof *r->queue);
    return true;
}

static bool queue_return(struct plumb_history_recording_reader *r,
                         struct plumb_history_recording_track *t)
{
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

static void give_return(struct plumb_history_recording_reader *r,
                        struct plumb_history_recorded_event *event)
{
    const struct plumb_history_waiting *const w = &r->queue[r->first];
    struct plumb_history_recording_track *const t = &r->track[w->thread];
    give(r, &w->event, w->lane, event);
    r->lane[w->lane].next = t->idle;
    t->idle = w->lane + 1;
    r->first = (r->first + 1) % r->queue_capacity;
    r->waiting--;
}

/* ---- the next one ---- */

/* Nobody writes any more?  Asked when there was nothing to read: the answer is
 * worth something if then there is nothing again. */
static enum plumb_status heed_end(struct plumb_history_recording_reader *r,
                                  struct plumb_error *err)
{
    const enum plumb_status status = plumb_history_recording_heed_close(r, err);
    if (status == PLUMB_OK && !r->file.final &&
        !plumb_history_recording_is_locked(r->fd))
        r->file.final = true;
    return status;
}

/* What to do next. */
enum step {
    GIVE_RETURN,
    TAKE_EVENT, /* of the earliest thread */
    LOOK_AGAIN,
    FIND_NOTHING, /* and nothing waits */
    FINISH
};

static enum step next_step(const struct plumb_history_recording_reader *r,
                           const struct plumb_history_recording_track *t)
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
static enum plumb_status take_event(struct plumb_history_recording_reader *r,
                                    struct plumb_history_recording_track *t,
                                    struct plumb_history_recorded_event *event,
                                    bool *gave, struct plumb_error *err)
{
    *gave = t->next.kind == RECORDING_CALL;
    if (!(*gave ? give_call(r, t, event) : queue_return(r, t)))
        return plumb_base_fail_memory(err);
    t->state = TRACK_DRY;
    return look_at(r, (size_t)(t - r->track), err);
}

/* Nothing is there, and nothing waits. */
static enum plumb_history_recorded find_nothing(
    struct plumb_history_recording_reader *r, bool *looked,
    struct plumb_error *err)
{
    if (r->fd < 0 || r->file.final)
        return PLUMB_RECORDED_END;
    if (*looked && heed_end(r, err) != PLUMB_OK)
        return PLUMB_RECORDED_ERROR;
    if (*looked && !r->file.final)
        return PLUMB_RECORDED_LATER;
    *looked = true;
    return plumb_history_recording_begin_round(r, err) == PLUMB_OK
               ? PLUMB_RECORDED_EVENT
               : PLUMB_RECORDED_ERROR;
}

enum plumb_history_recorded plumb_history_recording_next(
    struct plumb_history_recording_reader *r,
    struct plumb_history_recorded_event *event, struct plumb_error *err)
{
    bool looked = false, gave = false;
    while (!gave) {
        struct plumb_history_recording_track *const t = earliest(r);
        enum plumb_status status = PLUMB_OK;
        enum plumb_history_recorded found = PLUMB_RECORDED_EVENT;
        switch (next_step(r, t)) {
        case GIVE_RETURN:
            give_return(r, event);
            gave = true;
            break;
        case TAKE_EVENT:
            status = take_event(r, t, event, &gave, err);
            break;
        case LOOK_AGAIN:
            status = plumb_history_recording_begin_round(r, err);
            break;
        case FIND_NOTHING:
            found = find_nothing(r, &looked, err);
            break;
        case FINISH:
            return PLUMB_RECORDED_END;
        }
        if (status != PLUMB_OK)
            return PLUMB_RECORDED_ERROR;
        if (found != PLUMB_RECORDED_EVENT)
            return found;
    }
    return PLUMB_RECORDED_EVENT;
}
