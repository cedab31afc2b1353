/* generate_command.c - plumb generate: random histories, right or wrong.
 *
 * The same options and seed give the same bytes: nothing here depends on
 * time.  A violation is not assumed, it is confirmed by deciding. */
#include "app/console/files.h"
#include "app/console/interrupt.h"
#include "app/console/options.h"
#include "app/console/output.h"
#include "app/console/progress.h"
#include "app/console/say.h"
#include "app/generate/random_history.h"
#include "cli.h"
#include "spec/spec.h"
#include <inttypes.h>
#include <plumb/check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_OPS = 1000000000,
    MOST_THREADS = 100000,
    MISTAKES_TRIED = 50, /* per history before another one is made */
    HISTORIES_TRIED = 20,
    HARD = 2,        /* undecided ones before mistakes are made early */
    TOO_HARD = 12,   /* and before it is given up */
    STEPS = 1 << 20, /* of the specification for one, ... */
    STEPS_EACH = 16  /* ... and for each operation */
};

/* Operations that are kept until they are written, where that can be. */
enum { PIECE = 10000 };

/* What deciding one history may take: some are hopeless, and another one is
 * soon made.  Memory, not time, so that the same seed gives the same bytes. */
enum { BYTES_TO_DECIDE = 32 << 20, BYTES_PER_OPERATION = 1024 };

struct generate_settings {
    struct generate_random_settings random;
    const char *operations; /* of --operations */
    uint64_t seed, histories;
    bool violation;
    enum plumb_format to;
};
#define SETTINGS struct generate_settings

static bool take_values(const struct console_options *o,
                        const struct console_option *row, const char *value,
                        void *settings)
{
    struct generate_settings *const s = settings;
    uint64_t n = 0;
    s->random.unique = strcmp(value, row->to.words[0]) == 0;
    if (!s->random.unique && !console_option_number(o, row, value, &n))
        return false;
    s->random.values = (uint32_t)n;
    return true;
}

static const struct console_option rows[] = {
    { "spec", 's', IN_SPEC(random.spec), "NAME",
      .help = "use NAME, a built-in specification such as queue or queue:cap=4 "
              "(required; see `plumb list specs`)" },
    { "ops", 'n', IN_UNSIGNED(random.operations, 0, MOST_OPS), "N", "20",
      .help = "make histories of N operations" },
    { "threads", 'p', IN_UNSIGNED(random.threads, 1, MOST_THREADS), "N", "3",
      .help = "let N threads call them" },
    OPTION_SEED("histories", NULL),
    { "violation", 0, IN_FLAG(violation),
      .help = "make histories that are not linearizable, by one small mistake",
      .more = "One operation is replaced by a similar one, or two change "
              "places; in a long history one of the last 10000." },
    { "values", 0, IN_OWN(take_values, 0, UINT32_MAX, WORDS("unique")),
      "N|unique", "10",
      .help = "choose arguments from 1 to N; unique: store no value twice; 0: "
              "store new values, look for recent ones",
      .more = "With 0 every value that is written is new, and all others were "
              "stored lately or are new.  With unique most values that are "
              "looked for are there; the values in a priority queue do not "
              "come in order." },
    { "resident", 0, IN_UNSIGNED(random.resident, 1, UINT32_MAX), "N",
      .help = "keep at most N values in the object; needs --values unique" },
    { "operations", 0, IN_TEXT(operations), "NAMES",
      .help = "call only these operations, such as enq,deq (default: all)" },
    { "overlap", 0, IN_UNSIGNED(random.overlap, 0, 100), "PERCENT", "50",
      .help = "switch threads this often inside an operation; 0 makes a "
              "sequential history" },
    { "pending", 0, IN_UNSIGNED(random.pending, 0, 100), "PERCENT", "0",
      .help = "leave this share of the operations without a response",
      .more = "Half of those took effect." },
    { "histories", 0, IN_COUNT(histories, 1, MOST_OPS), "N", "1",
      .help = "make N histories" },
    { "to", 't', IN_FORMAT(to, console_written_formats), "FORMAT",
      .help = "write OUT as FORMAT instead of what its name says",
      .more = "Names that end in .hist and .txt mean native, .jsonl means "
              "jsonl, .plumb means binary.  The standard output gets native." },
    OPTIONS_END
};

/* What one history after the other is made with. */
struct maker {
    struct generate_settings *with;
    struct plumb_budget *budget;
    struct plumb_proof_plain *plain;
    struct plumb_spec *spec;
    struct plumb_op *altered; /* room for with->random.operations */
    const struct plumb_proof_plain_operation **row; /* of --operations */
    struct console_loss_count losses;
    unsigned undecided; /* that were too hard, of the present history */
};

/* ---- violations ---- */

/* A mistake at the end may take all orders of what came before to confirm; one
 * near the beginning is a violation of a short prefix. */
static bool is_hard(const struct maker *m)
{
    return m->undecided >= HARD;
}

/* PLUMB_OK if `h` is not linearizable, PLUMB_END if it is or is too hard to
 * tell. */
static enum plumb_status confirm_violation(struct maker *m,
                                           const struct plumb_history *h,
                                           struct plumb_error *err)
{
    const struct plumb_check_options options = {
        .no_core = !is_hard(m),
        .most_steps = STEPS + STEPS_EACH * (uint64_t)h->count,
        .budget = m->budget
    };
    struct plumb_answer answer;
    const enum plumb_status status =
        plumb_check(h, m->spec, &options, &answer, err);
    if (status != PLUMB_OK)
        return status;
    const enum plumb_verdict verdict = answer.verdict;
    const enum plumb_status why = answer.why;
    plumb_answer_release(&answer);
    if (verdict == PLUMB_UNDECIDED && why != PLUMB_EMEMORY && why != PLUMB_OK)
        return why;
    m->undecided += verdict == PLUMB_UNDECIDED;
    return verdict == PLUMB_NOT_LINEARIZABLE ? PLUMB_OK : PLUMB_END;
}

/* Turn `h` into a violation; PLUMB_END if no mistake that was tried makes it
 * one.  h->op then points to m->altered. */
static enum plumb_status make_wrong(struct maker *m, struct plumb_history *h,
                                    struct plumb_base_rng *rng,
                                    struct plumb_error *err)
{
    enum plumb_status status = PLUMB_END;
    for (int i = 0;
         i < MISTAKES_TRIED && m->undecided < TOO_HARD && status == PLUMB_END;
         i++) {
        struct plumb_history wrong = *h;
        wrong.op = m->altered;
        if (!generate_plant_mistake(h, m->altered, m->with->random.unique,
                                    is_hard(m), rng))
            return PLUMB_END;
        status = confirm_violation(m, &wrong, err);
        if (status == PLUMB_OK)
            *h = wrong;
    }
    return status;
}

static enum plumb_status make_history(struct maker *m, uint64_t number,
                                      struct plumb_history *h,
                                      struct plumb_error *err)
{
    struct plumb_base_rng rng;
    uint64_t seed = m->with->seed + number;
    m->undecided = 0;
    for (int i = 0; i < HISTORIES_TRIED && m->undecided < TOO_HARD; i++) {
        plumb_base_rng_seed(&rng, plumb_base_splitmix(&seed));
        enum plumb_status status = generate_random_history(
            &m->with->random, m->plain, &rng, m->budget, h, err);
        if (status != PLUMB_OK || !m->with->violation)
            return status;
        const struct plumb_op *const own = h->op;
        status = make_wrong(m, h, &rng, err);
        if (status == PLUMB_OK)
            return PLUMB_OK;
        h->op = own;
        plumb_history_release(h);
        if (status != PLUMB_END)
            return status;
    }
    *err = (struct plumb_error){ .status = PLUMB_EINPUT };
    snprintf(err->message, sizeof err->message,
             "no violation found near random histories of %s; allow more "
             "--ops, fewer --threads or less --overlap",
             m->with->random.spec);
    return PLUMB_EINPUT;
}

/* ---- all of them ---- */

/* Where pieces of a history go. */
struct pieces {
    struct maker *m;
    const struct plumb_sink *sink;
    unsigned long index; /* of the history; 0 once it has begun */
};

static enum plumb_status write_piece(void *to, const struct plumb_history *h,
                                     struct plumb_error *err)
{
    struct pieces *const p = to;
    const unsigned long index = p->index;
    p->index = 0;
    return console_write_history(h, p->m->with->to, index, p->sink,
                                 &p->m->losses, err);
}

static enum plumb_status make_all(struct maker *m, struct console_output *out,
                                  struct plumb_error *err)
{
    const struct plumb_sink sink = console_output_sink(out);
    struct generate_random_settings *const r = &m->with->random;
    struct pieces pieces = { m, &sink, 0 };
    enum plumb_status status = PLUMB_OK;
    /* Native text is a line for every event, and nothing besides. */
    if (m->with->to == PLUMB_FORMAT_NATIVE && !m->with->violation)
        r->piece = PIECE;
    r->hand_over = write_piece;
    r->to = &pieces;
    for (uint64_t i = 0; i < m->with->histories && status == PLUMB_OK; i++) {
        struct plumb_history h;
        pieces.index = i;
        status = make_history(m, i, &h, err);
        if (status != PLUMB_OK)
            break;
        status = write_piece(&pieces, &h, err);
        plumb_history_release(&h);
        console_progress_count();
        console_progress_share(i + 1, m->with->histories);
    }
    return status;
}

/* The rows that --operations names. */
static bool choose_rows(const struct console_options *o, struct maker *m)
{
    struct generate_random_settings *const r = &m->with->random;
    const char *name = m->with->operations;
    r->choice = m->row;
    for (r->choices = 0; name && *name;) {
        const size_t length = strcspn(name, ",");
        const struct plumb_proof_plain_operation *const found =
            plumb_proof_plain_operation(m->plain, name, length);
        if (!found || r->choices == m->plain->type->operations)
            return console_usage_fails(
                o, "--operations: %.*s is %s of %s", (int)length, name,
                found ? "one too many" : "not an operation", r->spec);
        m->row[r->choices++] = found;
        name += length + (name[length] == ',');
    }
    return true;
}

/* Will `plumb check` find the specification by itself? */
static bool is_guessable(const struct plumb_spec *spec)
{
    return spec->type->guessable && !strchr(plumb_spec_text(spec), ':');
}

static enum console_status generate_into(struct maker *m, const char *path)
{
    struct console_output out;
    struct plumb_error err = { 0 };
    if (!console_output_create(&out, path))
        return STATUS_ERROR;
    console_progress_unit("histories made");
    console_progress_start(m->budget);
    const enum plumb_status status = make_all(m, &out, &err);
    console_progress_stop();
    const bool written = console_output_finish(&out, status == PLUMB_OK);
    if (status == PLUMB_ESTOP) {
        console_say("plumb generate: interrupted; nothing is left in %s",
                    out.name);
        return STATUS_UNDECIDED;
    }
    if (status != PLUMB_OK && !out.failed)
        console_say("plumb generate: %s", err.message);
    if (status == PLUMB_OK && m->losses.histories[PLUMB_LOSS_SPEC] &&
        !is_guessable(m->spec))
        console_note(
            "%s: native text does not name the specification; check it with "
            "--spec %s",
            out.name, m->with->random.spec);
    return written && status == PLUMB_OK ? STATUS_HOLDS : STATUS_ERROR;
}

static void release_maker(struct maker *m)
{
    free(m->row);
    free(m->altered);
    if (m->plain)
        plumb_proof_plain_free(m->plain);
    if (m->spec)
        plumb_spec_free(m->spec);
    console_interrupts_stop(NULL);
    plumb_budget_free(m->budget);
}

/* The specification twice: to decide by, and the plain one to run. */
static bool load_specs(struct maker *m)
{
    struct generate_random_settings *const r = &m->with->random;
    struct plumb_error err = { .message = "out of memory" };
    enum plumb_status status =
        m->budget ? plumb_spec_parse(r->spec, &m->spec, &err) : PLUMB_EMEMORY;
    if (status == PLUMB_OK) {
        const struct plumb_spec_ref ref = { plumb_spec_text(m->spec), NULL };
        r->spec = ref.text;
        r->type = m->spec->type;
        status = plumb_proof_plain_new(ref, NULL, m->budget, &m->plain, &err);
    }
    if (status != PLUMB_OK)
        console_say("plumb generate: --spec %s: %s", r->spec, err.message);
    return status == PLUMB_OK;
}

static bool make_room(struct maker *m)
{
    const size_t operations = m->with->random.operations;
    m->row = calloc(m->plain->type->operations,
                    sizeof(const struct plumb_proof_plain_operation *));
    if (m->with->violation)
        m->altered = calloc(operations + 1, sizeof *m->altered);
    if (m->row && (m->altered || !m->with->violation))
        return true;
    return console_fails("plumb generate: out of memory");
}

static enum console_status generate(const struct console_options *o,
                                    struct generate_settings *s,
                                    const char *path)
{
    const size_t bytes =
        BYTES_TO_DECIDE + (size_t)BYTES_PER_OPERATION * s->random.operations;
    struct maker m = { .with = s,
                       .budget =
                           plumb_budget_new(0, s->violation ? bytes : 0) };
    enum console_status status = STATUS_ERROR;
    console_interrupts_stop(m.budget);
    if (load_specs(&m) && make_room(&m) && choose_rows(o, &m))
        status = generate_into(&m, path);
    release_maker(&m);
    return status;
}

static enum console_status run(const struct console_options *o, void *settings)
{
    struct generate_settings *const s = settings;
    const char *const path = o->nargs ? o->args[0] : "-";
    if (!s->random.spec)
        console_usage_fails(o,
                            "--spec is missing; `plumb list specs` lists them");
    else if (s->random.resident && !s->random.unique)
        console_usage_fails(o, "--resident needs --values unique");
    else if (o->nargs > 1)
        console_usage_fails(o, "give at most one OUT, not %s as well",
                            o->args[1]);
    else if (console_output_format(o, path, &s->to))
        return generate(o, s, path);
    return STATUS_ERROR;
}

const struct console_command cli_generate = {
    .name = "generate",
    .summary = "make random histories, linearizable or not",
    .arguments = "--spec NAME [OUT] [options]",
    .about =
        "Make random linearizable histories, or violations that `plumb check` "
        "has confirmed, and write them to OUT, a new file, or to the standard "
        "output.  The same options give the same bytes.",
    .examples =
        "  plumb generate --spec queue --ops 50 --threads 4 | plumb check -\n"
        "  plumb generate --spec stack --violation --seed 7 wrong.hist\n",
    .status = "  0  written\n"
              "  2  error, or no violation was found\n"
              "  3  interrupted\n",
    .options = rows,
    .names = NAMES_FILES,
    .settings = sizeof(SETTINGS),
    .run = run,
};
