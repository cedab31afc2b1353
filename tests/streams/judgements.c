/* judgements.c - see judgements.h. */
#include "judgements.h"

#include "check/live/live.h"
#include "history/stream.h"

static struct judgement decide(const struct plumb_history *h,
                               const struct plumb_spec *spec)
{
    struct judgement j = { .status = PLUMB_OK };
    const struct plumb_check_options o = { .no_core = true };
    struct plumb_answer a;
    j.status = plumb_check(h, spec, &o, &a, &j.err);
    if (j.status != PLUMB_OK)
        return j;
    j.verdict = a.verdict;
    plumb_answer_release(&a);
    return j;
}

static enum plumb_status read_history(enum plumb_format format,
                                      const char *data, size_t size,
                                      struct plumb_history *h,
                                      struct plumb_error *err)
{
    struct plumb_reader *reader;
    enum plumb_status status = plumb_reader_open(
        &reader, data, size, format, PLUMB_TIES_OF_FORMAT, NULL, err);
    if (status != PLUMB_OK)
        return status;
    status = plumb_reader_next(reader, h, err);
    plumb_reader_close(reader);
    return status;
}

struct judgement judge_whole(enum plumb_format format, const char *data,
                             size_t size, const struct plumb_spec *spec)
{
    struct judgement j = { .status = PLUMB_OK };
    struct plumb_history h;
    j.status = read_history(format, data, size, &h, &j.err);
    if (j.status != PLUMB_OK)
        return j;
    j = decide(&h, spec);
    plumb_history_release(&h);
    return j;
}

struct following {
    struct plumb_history_stream stream;
    struct plumb_check_live *live;
    struct judgement judgement;
};

static void open_following(struct following *f, enum plumb_format format,
                           bool forget, const struct plumb_spec *spec)
{
    *f = (struct following){ .judgement.status = PLUMB_OK };
    plumb_history_stream_init(&f->stream, format, NULL);
    f->live = plumb_check_live_open(spec, NULL);
    if (forget)
        plumb_check_live_hurry(f->live);
}

/* Is there anything left to do? */
static bool take(struct following *f, enum plumb_status status)
{
    struct judgement *const j = &f->judgement;
    struct plumb_builder *const b = plumb_history_stream_builder(&f->stream);
    struct plumb_error err = { 0 };
    j->status = status;
    if (!b)
        return status == PLUMB_OK;
    const enum plumb_status taken = plumb_check_live_take(f->live, b, &err);
    if (taken != PLUMB_OK && status == PLUMB_OK) {
        j->status = taken;
        j->err = err;
    }
    return j->status == PLUMB_OK &&
           plumb_check_live_state(f->live)->verdict == PLUMB_LINEARIZABLE;
}

static struct judgement close_following(struct following *f)
{
    struct judgement *const j = &f->judgement;
    if (j->status == PLUMB_OK)
        j->status = plumb_check_live_end(
            f->live, plumb_history_stream_builder(&f->stream), NULL, &j->err);
    const struct plumb_check_live_state *const s =
        plumb_check_live_state(f->live);
    j->verdict = s->verdict;
    j->declined = s->declined;
    if (j->verdict == PLUMB_NOT_LINEARIZABLE)
        j->status = PLUMB_OK;
    plumb_check_live_close(f->live);
    plumb_history_stream_release(&f->stream);
    return *j;
}

struct judgement judge_pieces(enum plumb_format format, const char *data,
                              size_t size, const struct cuts *cuts, bool forget,
                              const struct plumb_spec *spec)
{
    struct following f;
    struct plumb_error *const err = &f.judgement.err;
    bool more = true;
    size_t at = 0;
    open_following(&f, format, forget, spec);
    for (size_t i = 0; i <= cuts->count && more; i++) {
        const size_t end = i < cuts->count ? cuts->at[i] : size;
        more = take(
            &f, plumb_history_stream_feed(&f.stream, data + at, end - at, err));
        at = end;
    }
    if (more)
        take(&f, plumb_history_stream_end(&f.stream, err));
    return close_following(&f);
}

struct judgement judge_play(enum plumb_format format, const char *data,
                            size_t size, unsigned at_once, bool forget,
                            const struct plumb_spec *spec)
{
    struct following f;
    struct plumb_history h;
    struct plumb_error *const err = &f.judgement.err;
    open_following(&f, format, forget, spec);
    enum plumb_status status = read_history(format, data, size, &h, err);
    if (status == PLUMB_OK) {
        status = plumb_history_stream_play(&f.stream, &h, err);
        while (status == PLUMB_OK) {
            status = plumb_history_play_some(&f.stream.play, at_once, err);
            const bool last = status == PLUMB_END;
            if (!take(&f, last ? PLUMB_OK : status) || last)
                break;
        }
    } else {
        f.judgement.status = status;
    }
    const struct judgement j = close_following(&f);
    if (h.owner)
        plumb_history_release(&h);
    return j;
}
