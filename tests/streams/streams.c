/* streams.c - a history is the same one in pieces, however it is cut.
 *
 *     streams [--count N] [--seed S] [FORMAT...]
 *
 * Random stories are told in every format of text, right and wrong, and also
 * damaged.  Each text is read as a whole and in pieces: the events are the same,
 * or the error and its place; and `plumb check` and `plumb monitor` come to the
 * same verdict.  Small texts are cut at every place, all of them byte by byte
 * and at random.  Between the pieces everything is forgotten that can be, or
 * nothing is.  Story number i has seed S + i: `--count 1 --seed` tells it
 * again. */
#include "history/stream.h"
#include "judgements.h"
#include "tell.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 500 /* bytes */, CUTS = 64, AT_ONCE = 40 };

struct tally {
    uint64_t right, wrong, malformed, readings, verdicts, declined, failures;
};

struct session {
    const struct teller *teller;
    uint64_t seed;
    struct plumb_base_rng rng;
    struct plumb_base_text text;
    enum plumb_format format; /* AUTO: it has to be found out */
    const char *spec_text;
    struct plumb_spec *spec;
    struct tally tally;
};

/* ---- telling what is wrong ---- */

static void show_cuts(const struct cuts *cuts)
{
    fprintf(stderr, "cut at");
    for (size_t i = 0; i < cuts->count && i < AT_ONCE; i++)
        fprintf(stderr, " %zu", cuts->at[i]);
    fprintf(stderr, "%s\n", cuts->count > AT_ONCE ? " ..." : "");
}

static void complain(struct session *s, const char *what,
                     const struct cuts *cuts, bool forget)
{
    if (s->tally.failures++ > 3)
        return;
    fprintf(stderr, "%s, %s, seed %" PRIu64 "%s: %s\n",
            plumb_format_name(s->teller->format), s->spec_text, s->seed,
            forget ? ", forgetting" : "", what);
    if (cuts)
        show_cuts(cuts);
    fwrite(s->text.data, 1, s->text.size, stderr);
    fprintf(stderr, "\n----\n");
}

static void show_reading(const char *name, const struct reading *r)
{
    fprintf(stderr, "%s: format %d, status %d, %" PRIu64 ":%" PRIu64 ": %s\n%s",
            name, (int)r->format, (int)r->status, r->err.line, r->err.column,
            r->err.message, plumb_base_text_string(&r->events));
}

/* ---- cutting ---- */

static void cut_everywhere(struct cuts *cuts, size_t size)
{
    cuts->count = size ? size - 1 : 0;
    for (size_t i = 0; i < cuts->count; i++)
        cuts->at[i] = i + 1;
}

static int by_place(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static void cut_anywhere(struct cuts *cuts, size_t size,
                         struct plumb_base_rng *rng)
{
    cuts->count = plumb_base_rng_below(rng, CUTS);
    for (size_t i = 0; i < cuts->count; i++)
        cuts->at[i] = plumb_base_rng_below(rng, (uint32_t)size + 1);
    qsort(cuts->at, cuts->count, sizeof *cuts->at, by_place);
}

/* ---- reading ---- */

static void compare_reading(struct session *s, const struct reading *whole,
                            const struct cuts *cuts, bool forget)
{
    struct reading pieces;
    read_pieces(&pieces, s->format, s->text.data, s->text.size, cuts, forget);
    const char *const what = difference(whole, &pieces);
    s->tally.readings++;
    if (what) {
        complain(s, what, cuts, forget);
        show_reading("whole", whole);
        show_reading("pieces", &pieces);
    }
    release_reading(&pieces);
}

static void compare_readings(struct session *s, struct cuts *cuts)
{
    struct reading whole;
    const size_t size = s->text.size;
    read_whole(&whole, s->format, s->text.data, size);
    s->tally.malformed += whole.status == PLUMB_EINPUT;
    for (size_t at = 0; at <= size && size <= SMALL; at++) {
        *cuts = (struct cuts){ .count = 1, .at = cuts->at };
        cuts->at[0] = at;
        compare_reading(s, &whole, cuts, at % 2);
    }
    cut_everywhere(cuts, size);
    compare_reading(s, &whole, cuts, true);
    for (unsigned i = 0; i < 4; i++) {
        cut_anywhere(cuts, size, &s->rng);
        compare_reading(s, &whole, cuts, i % 2);
    }
    release_reading(&whole);
}

/* ---- deciding ---- */

static void compare_verdicts(struct session *s, const struct judgement *whole,
                             const struct judgement *pieces,
                             const struct cuts *cuts, bool forget)
{
    s->tally.verdicts++;
    if (pieces->status == PLUMB_OK && pieces->verdict == PLUMB_UNDECIDED &&
        pieces->declined && forget) {
        s->tally.declined++;
        return;
    }
    if (pieces->status == whole->status &&
        (whole->status != PLUMB_OK || pieces->verdict == whole->verdict))
        return;
    complain(s, "another verdict", cuts, forget);
    fprintf(stderr, "whole: %d %d %s\npieces: %d %d %s\n", (int)whole->status,
            (int)whole->verdict, whole->err.message, (int)pieces->status,
            (int)pieces->verdict, pieces->err.message);
}

static void judge(struct session *s, struct cuts *cuts)
{
    const char *const data = s->text.data;
    const size_t size = s->text.size;
    const bool in_order =
        plumb_history_stream_comes_in_order(s->teller->format);
    const struct judgement whole = judge_whole(s->format, data, size, s->spec);
    if (whole.status != PLUMB_OK)
        complain(s, whole.err.message, NULL, false);
    else if (whole.verdict == PLUMB_LINEARIZABLE)
        s->tally.right++;
    else
        s->tally.wrong++;
    for (unsigned i = 0; i < 6; i++) {
        const bool forget = i % 2;
        cut_anywhere(cuts, size, &s->rng);
        if (i == 1)
            cut_everywhere(cuts, size);
        const struct judgement pieces =
            in_order
                ? judge_pieces(s->format, data, size, cuts, forget, s->spec)
                : judge_play(s->format, data, size,
                             1 + plumb_base_rng_below(&s->rng, AT_ONCE), forget,
                             s->spec);
        compare_verdicts(s, &whole, &pieces, cuts, forget);
    }
}

/* ---- damage ---- */

static void damage(struct plumb_base_text *t, struct plumb_base_rng *rng)
{
    static const char odd[] = "\n\"\\(){}[],;:#/* -1ax";
    const size_t at = plumb_base_rng_below(rng, (uint32_t)t->size);
    const size_t rest = t->size - at;
    const size_t some = 1 + plumb_base_rng_below(rng, 40);
    char *again;
    switch (plumb_base_rng_below(rng, 4)) {
    case 0: /* something is missing */
        t->size = at;
        if (some < rest) {
            memmove(t->data + at, t->data + at + some, rest - some);
            t->size = at + rest - some;
        }
        return;
    case 1: /* the end is */
        t->size = at + 1;
        return;
    case 2: /* a byte is another one */
        t->data[at] = odd[plumb_base_rng_below(rng, sizeof odd - 1)];
        return;
    default: /* something is there twice */
        again = malloc(rest);
        memcpy(again, t->data + at, rest);
        plumb_base_text_bytes(t, again, rest);
        free(again);
    }
}

/* ---- stories ---- */

static enum kind any_kind(const struct teller *t, struct plumb_base_rng *rng)
{
    for (;;) {
        const unsigned kind = plumb_base_rng_below(rng, KINDS);
        if (t->kinds & 1u << kind)
            return (enum kind)kind;
    }
}

static struct plot any_plot(const struct teller *t, struct plumb_base_rng *rng)
{
    struct plot p = t->limits;
    p.kind = any_kind(t, rng);
    p.objects = chance(rng, 50) ? 1 : t->limits.objects;
    if (t->format == PLUMB_FORMAT_JEPSEN && p.kind != REGISTER)
        p.objects = 1;
    p.events = chance(rng, 40) ? 1 + plumb_base_rng_below(rng, 6)
                               : 1 + plumb_base_rng_below(rng, MOST_EVENTS / 4);
    p.lies = chance(rng, 70);
    return p;
}

static void one_story(struct session *s, struct story *story, struct cuts *cuts)
{
    struct plumb_error err;
    plumb_base_rng_seed(&s->rng, s->seed);
    const struct plot plot = any_plot(s->teller, &s->rng);
    make_story(story, &plot, &s->rng);
    plumb_base_text_init(&s->text, NULL);
    s->teller->tell(story, &s->rng, &s->text);
    cuts->at = malloc((2 * s->text.size + CUTS) * sizeof *cuts->at);
    s->format = chance(&s->rng, 50) ? PLUMB_FORMAT_AUTO : s->teller->format;
    s->spec_text = spec_of(story->kind);
    if (plumb_spec_parse(s->spec_text, &s->spec, &err) != PLUMB_OK)
        abort();
    judge(s, cuts);
    const bool in_order =
        plumb_history_stream_comes_in_order(s->teller->format);
    if (in_order) {
        compare_readings(s, cuts);
        s->format = s->teller->format;
        damage(&s->text, &s->rng);
        compare_readings(s, cuts);
    }
    plumb_spec_free(s->spec);
    free(cuts->at);
    plumb_base_text_release(&s->text);
}

static bool tell_stories(const struct teller *t, uint64_t count, uint64_t seed)
{
    struct session s = { .teller = t };
    struct story *const story = malloc(sizeof *story);
    struct cuts cuts = { 0, NULL };
    for (uint64_t i = 0; i < count; i++) {
        s.seed = seed + i;
        one_story(&s, story, &cuts);
    }
    free(story);
    printf("%s: %" PRIu64 " stories from seed %" PRIu64 ", %" PRIu64
           " right and %" PRIu64 " wrong, %" PRIu64 " malformed; %" PRIu64
           " readings and %" PRIu64 " verdicts in pieces (%" PRIu64
           " declined), %" PRIu64 " different\n",
           plumb_format_name(t->format), count, seed, s.tally.right,
           s.tally.wrong, s.tally.malformed, s.tally.readings, s.tally.verdicts,
           s.tally.declined, s.tally.failures);
    return s.tally.failures == 0;
}

/* Whoever adds a format has to tell stories in it. */
static bool all_are_told(void)
{
    for (int f = PLUMB_FORMAT_NATIVE; f <= PLUMB_FORMAT_RECORDING; f++) {
        unsigned k = 0;
        while (k < teller_count && tellers[k].format != (enum plumb_format)f)
            k++;
        if (k < teller_count ||
            !plumb_history_stream_comes_in_order((enum plumb_format)f))
            continue;
        fprintf(stderr, "nobody tells stories in %s\n",
                plumb_format_name((enum plumb_format)f));
        return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    uint64_t count = 100, seed = 1;
    unsigned named = 0;
    bool good = all_are_told();
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--count") == 0 && i + 1 < argc)
            count = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            seed = strtoull(argv[++i], NULL, 10);
        else
            named++;
    }
    for (unsigned k = 0; k < teller_count; k++) {
        bool wanted = !named;
        for (int i = 1; i < argc; i++)
            wanted |= plumb_format_by_name(argv[i]) == tellers[k].format;
        if (wanted)
            good &= tell_stories(tellers + k, count, seed);
    }
    return good ? 0 : 1;
}
