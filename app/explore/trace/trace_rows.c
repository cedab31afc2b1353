/* trace_rows.c - the records of a trace as lines for people.
 *
 * What is told: operations, atomic accesses, calls that synchronise, blocks of
 * the heap; and plain accesses to memory that several threads touch.  What is
 * left out without --verbose is what nobody else can see. */
#include "trace_rows.h"

#include "base/memory.h"
#include "trace_places.h"
#include <stdlib.h>
#include <string.h>

enum {
    CELLS = 1 << 13, /* of 8 bytes; those beyond are taken for shared */
    MOST_BYTES = 256 /* of an access: what is behind is not looked at */
};

/* Who touches memory: a table of cells. */
struct sharing {
    struct {
        uint64_t cell; /* + 1; 0: free */
        uint8_t thread;
        bool shared, written;
    } slot[CELLS];
    unsigned used;
};

struct building {
    const struct explore_trace_names *names;
    const struct job_finding *finding;
    struct explore_trace_rows *rows;
    struct sharing *sharing;
    uint32_t *next; /* of each record, the next told one of its thread */
    uint32_t last[PLUMB_MAX_THREADS]; /* of each thread, so far */
    struct explore_trace_locks locks;
    unsigned depth[PLUMB_MAX_THREADS];
    bool open[PLUMB_MAX_THREADS]; /* in an operation */
    bool all;
    struct plumb_base_text text, place;
};

/* ---- rows ---- */

bool explore_trace_rows_add(struct explore_trace_rows *rows,
                            struct explore_trace_row row, const char *text,
                            const char *place)
{
    row.line.text = plumb_base_arena_copy(&rows->arena, text, strlen(text) + 1);
    row.line.place =
        plumb_base_arena_copy(&rows->arena, place, strlen(place) + 1);
    if (!row.line.text || !row.line.place ||
        !PLUMB_APPEND(NULL, rows->row, rows->count, rows->room, row)) {
        rows->broken = true;
        return false;
    }
    return true;
}

void explore_trace_rows_release(struct explore_trace_rows *rows)
{
    plumb_base_arena_release(&rows->arena);
    PLUMB_RELEASE(NULL, rows->row, rows->room);
    *rows = (struct explore_trace_rows){ 0 };
}

/* ---- what others see ---- */

static size_t slot_of(const struct sharing *s, uint64_t cell)
{
    size_t at = (size_t)((cell * 0x9e3779b97f4a7c15u) >> 51);
    while (s->slot[at].cell && s->slot[at].cell != cell + 1)
        at = (at + 1) % CELLS;
    return at;
}

static bool is_access(const struct job_trace_record *r)
{
    return r->kind <= TRACE_CAS && r->size > 0;
}

static void note_cell(struct sharing *s, const struct job_trace_record *r,
                      uint64_t cell)
{
    const size_t at = slot_of(s, cell);
    if (!s->slot[at].cell) {
        if (s->used >= CELLS / 2)
            return;
        s->used++;
        s->slot[at].cell = cell + 1;
        s->slot[at].thread = r->thread;
    }
    s->slot[at].shared |= s->slot[at].thread != r->thread;
    s->slot[at].written |= r->kind != TRACE_READ && r->kind != TRACE_LOAD;
}

static uint64_t last_cell(const struct job_trace_record *r)
{
    const uint64_t size = r->size < MOST_BYTES ? r->size : MOST_BYTES;
    return (r->at + size - 1) >> 3;
}

static void note_access(struct sharing *s, const struct job_trace_record *r)
{
    for (uint64_t cell = r->at >> 3; cell <= last_cell(r); cell++)
        note_cell(s, r, cell);
}

static bool is_shared_cell(const struct sharing *s, uint64_t cell)
{
    const size_t at = slot_of(s, cell);
    return s->slot[at].cell ? s->slot[at].shared && s->slot[at].written
                            : s->used >= CELLS / 2;
}

static bool is_shared(const struct sharing *s, const struct job_trace_record *r)
{
    for (uint64_t cell = r->at >> 3; is_access(r) && cell <= last_cell(r);
         cell++)
        if (is_shared_cell(s, cell))
            return true;
    return false;
}

/* ---- which records are told ---- */

/* Is it one of the two accesses that race? */
static bool is_of_the_race(const struct building *b,
                           const struct job_trace_record *r)
{
    const struct job_finding *const f = b->finding;
    const uint64_t offset = r->pc - b->names->job->memory.base;
    return f && f->what.fault == FAULT_RACE && is_access(r) &&
           (offset == f->offset || offset == f->other);
}

/* A library does it of itself, as when a thread ends: no code of ours is in it. */
static bool is_of_a_library(const struct building *b, uint32_t i)
{
    const struct explore_trace_names *const n = b->names;
    if (b->all || !explore_trace_code_place(n, n->job->record[i].pc)->library)
        return false;
    const struct binary_symbol_place *const place = explore_trace_place(n, i);
    return place->library || (!place->line && !place->function[0]);
}

static bool is_told(const struct building *b, uint32_t i)
{
    if (!explore_trace_is_sound(b->names, i))
        return false;
    const struct job_trace_record *const r = b->names->job->record + i;
    switch ((enum job_trace_kind)r->kind) {
    case TRACE_LEAVE:
        return false;
    case TRACE_READ:
    case TRACE_WRITE:
        return b->all || is_of_the_race(b, r) ||
               (is_shared(b->sharing, r) && !is_of_a_library(b, i));
    case TRACE_ALLOCATE:
    case TRACE_FREE:
        return !is_of_a_library(b, i);
    case TRACE_ENTER:
    case TRACE_FENCE:
        return b->all;
    case TRACE_END:
        return b->all || !b->names->job->target.object;
    case TRACE_JOIN:
    case TRACE_SPAWN: /* not those of whoever sets the scene */
        return b->all || r->pc != 0;
    default:
        return true;
    }
}

/* Steps are done by those who do something in them. */
static bool is_step(const struct job_trace_record *r)
{
    return r->kind != TRACE_ENTER && r->kind != TRACE_LEAVE;
}

static void link_records(struct building *b)
{
    uint32_t next[PLUMB_MAX_THREADS];
    for (unsigned t = 0; t < PLUMB_MAX_THREADS; t++)
        next[t] = b->last[t] = TRACE_NONE;
    for (uint32_t i = b->names->count; i-- > b->names->first;) {
        const struct job_trace_record *const r = b->names->job->record + i;
        b->next[i] = TRACE_NONE;
        if (!explore_trace_is_sound(b->names, i))
            continue;
        b->next[i] = next[r->thread];
        if (is_step(r))
            next[r->thread] = i;
    }
}

/* ---- building ---- */

static struct explore_trace_row row_of(const struct building *b, uint32_t i,
                                       enum plumb_report_line_kind kind)
{
    const struct job_trace_record *const r = b->names->job->record + i;
    return (struct explore_trace_row){
        .line = { .kind = kind,
                  .step = r->step,
                  .column = r->thread,
                  .depth = b->depth[r->thread] + b->open[r->thread] },
        .record = i,
        .keep = kind != PLUMB_LINE_EVENT,
    };
}

static void add_row(struct building *b, struct explore_trace_row row,
                    bool with_place)
{
    plumb_base_text_clear(&b->place);
    if (with_place)
        explore_trace_call_text(b->names, row.record, &b->place);
    explore_trace_rows_add(b->rows, row, plumb_base_text_string(&b->text),
                           plumb_base_text_string(&b->place));
}

static void add_operation(struct building *b, uint32_t i)
{
    const struct job_trace_record *const r = b->names->job->record + i;
    const bool answer = r->kind == TRACE_RETURN;
    b->open[r->thread] = false;
    struct explore_trace_row row =
        row_of(b, i, answer ? PLUMB_LINE_ANSWER : PLUMB_LINE_CALL);
    plumb_base_text_clear(&b->text);
    explore_trace_operation_text(b->names->job, b->finding, (uint64_t)r->after,
                                 answer, &b->text);
    add_row(b, row, false);
    b->open[r->thread] = !answer;
}

static bool changes(const struct job_trace_record *r)
{
    switch ((enum job_trace_kind)r->kind) {
    case TRACE_WRITE:
    case TRACE_STORE:
    case TRACE_MODIFY:
        return true;
    case TRACE_CAS:
        return r->before == r->expected;
    case TRACE_SYNC:
    case TRACE_FREE:
        return true;
    default:
        return false;
    }
}

/* Whose step it is, if it may be told together with others; or NULL. */
static const char *library_of(struct building *b, uint32_t i)
{
    const struct job_trace_record *const r = b->names->job->record + i;
    const bool plain = r->kind == TRACE_READ || r->kind == TRACE_WRITE ||
                       r->kind == TRACE_ALLOCATE || r->kind == TRACE_FREE;
    plumb_base_text_clear(&b->text);
    if (!plain || b->all || is_of_the_race(b, r) ||
        !explore_trace_library_text(b->names, i, &b->text))
        return NULL;
    return plumb_base_arena_copy(
        &b->rows->arena, plumb_base_text_string(&b->text), b->text.size + 1);
}

static void add_event(struct building *b, uint32_t i)
{
    const struct job_trace_record *const r = b->names->job->record + i;
    struct explore_trace_row row = row_of(
        b, i, r->kind == TRACE_ENTER ? PLUMB_LINE_CALL : PLUMB_LINE_EVENT);
    row.writes =
        changes(r) && (r->kind == TRACE_SYNC || r->kind == TRACE_FREE ||
                       is_shared(b->sharing, r));
    row.keep |= r->kind == TRACE_SPAWN || r->kind == TRACE_JOIN ||
                r->kind == TRACE_END || r->kind == TRACE_CHOICE ||
                is_of_the_race(b, r);
    row.library = library_of(b, i);
    plumb_base_text_clear(&b->text);
    explore_trace_event_text(b->names, i, &b->text);
    add_row(b, row, r->kind != TRACE_END);
}

/* The thread whose step it was: one that is new runs up to its first event in
 * the step that started it. */
static unsigned who_steps(const struct building *b,
                          const struct job_trace_record *r)
{
    const struct job *const job = b->names->job;
    const uint32_t steps =
        job->request.schedule < JOB_STEPS ? job->request.schedule : JOB_STEPS;
    const unsigned t = r->step < steps ? job->step[r->step].thread : r->thread;
    return t < PLUMB_MAX_THREADS ? t : r->thread;
}

/* What is in b->text, behind record i. */
static void add_switch_row(struct building *b, uint32_t i)
{
    struct explore_trace_row row = row_of(b, i, PLUMB_LINE_SWITCH);
    row.line.step = PLUMB_NO_STEP;
    row.line.depth = 0;
    add_row(b, row, false);
}

/* After record i of one thread comes something of another. */
static void add_switch(struct building *b, uint32_t i)
{
    bool preempted;
    plumb_base_text_clear(&b->text);
    if (!explore_trace_switch_text(b->names, &b->locks, i, b->next[i], &b->text,
                                   &preempted))
        return;
    b->rows->preemptions += preempted;
    add_switch_row(b, i);
}

static void follow_calls(struct building *b, const struct job_trace_record *r)
{
    if (!b->all)
        return;
    if (r->kind == TRACE_ENTER)
        b->depth[r->thread]++;
    if (r->kind == TRACE_LEAVE && b->depth[r->thread])
        b->depth[r->thread]--;
}

/* Of a thread that did nothing but wait. */
static void add_wait_of(struct building *b, unsigned thread)
{
    if (!b->names->count)
        return;
    plumb_base_text_clear(&b->text);
    if (!explore_trace_end_text(b->names, &b->locks, thread, &b->text))
        return;
    add_switch_row(b, b->names->count - 1);
    if (!b->rows->broken)
        b->rows->row[b->rows->count - 1].line.column = thread;
}

/* What nobody can do any more, unless it was the last that was told of the
 * thread. */
static void add_waits(struct building *b)
{
    const struct job_memory *const m = &b->names->job->memory;
    for (unsigned t = 0; t < m->threads && t < PLUMB_MAX_THREADS; t++) {
        const uint32_t last = b->last[t];
        if (m->end[t].standing != PLUMB_WAITING)
            continue;
        if (last == TRACE_NONE) {
            add_wait_of(b, t);
            continue;
        }
        const struct explore_trace_row *row = NULL;
        for (size_t k = 0; k < b->rows->count; k++)
            if (b->rows->row[k].line.column == t)
                row = b->rows->row + k;
        const char *const told =
            row && row->line.kind == PLUMB_LINE_SWITCH ? row->line.text : "";
        plumb_base_text_clear(&b->text);
        if (explore_trace_wait_text(b->names, &b->locks, last, &b->text) &&
            strcmp(plumb_base_text_string(&b->text), told) != 0)
            add_switch_row(b, last);
    }
}

static void add_records(struct building *b)
{
    unsigned running = PLUMB_MAX_THREADS;
    for (uint32_t i = b->names->first; i < b->names->count && !b->rows->broken;
         i++) {
        const struct job_trace_record *const r = b->names->job->record + i;
        if (!explore_trace_is_sound(b->names, i))
            continue;
        const bool step = is_step(r);
        if (step && running < PLUMB_MAX_THREADS && running != who_steps(b, r) &&
            b->last[running] != TRACE_NONE)
            add_switch(b, b->last[running]);
        if (r->kind == TRACE_CALL || r->kind == TRACE_RETURN)
            add_operation(b, i);
        else if (is_told(b, i))
            add_event(b, i);
        follow_calls(b, r);
        explore_trace_locks_pass(&b->locks, b->names, i);
        if (!step)
            continue;
        running = who_steps(b, r);
        b->last[r->thread] = i;
    }
    add_waits(b);
}

void explore_trace_rows_number(struct explore_trace_rows *rows)
{
    uint32_t last = PLUMB_NO_STEP;
    for (size_t k = 0; k < rows->count; k++) {
        uint32_t *const step = &rows->row[k].line.step;
        if (*step == PLUMB_NO_STEP)
            continue;
        if (*step == last)
            *step = PLUMB_NO_STEP;
        else
            last = *step;
    }
}

void explore_trace_rows_init(struct explore_trace_rows *rows,
                             const struct explore_trace_names *n,
                             const struct job_finding *finding, bool all)
{
    struct building b = {
        .names = n, .finding = finding, .rows = rows, .all = all
    };
    *rows = (struct explore_trace_rows){ 0 };
    plumb_base_arena_init(&rows->arena, NULL);
    plumb_base_text_init(&b.text, NULL);
    plumb_base_text_init(&b.place, NULL);
    b.sharing = calloc(1, sizeof *b.sharing);
    b.next = calloc((size_t)n->count + 1, sizeof *b.next);
    rows->broken = !b.sharing || !b.next;
    if (!rows->broken) {
        for (uint32_t i = n->first; i < n->count; i++)
            if (explore_trace_is_sound(n, i) && is_access(n->job->record + i))
                note_access(b.sharing, n->job->record + i);
        link_records(&b);
        add_records(&b);
    }
    rows->broken |= b.text.broken || b.place.broken;
    free(b.sharing);
    free(b.next);
    plumb_base_text_release(&b.text);
    plumb_base_text_release(&b.place);
}
