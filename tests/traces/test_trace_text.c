/* test_trace_text.c - traces that are made by hand, told in words.
 *
 * The names are those of a sample that is loaded here: offsets are real. */
#include "sample.h"

#include "app/explore/trace/explore_interleaving.h"
#include "base/rng.h"
#include <errno.h>

static const char *const samples[] = { "gcc_dwarf4", "clang_dwarf4" };
enum { SAMPLE_COUNT = sizeof samples / sizeof *samples };

static const uint64_t heap = UINT64_C(0x200000000000);

struct tale {
    struct sample sample;
    struct job *job;
    struct job_finding *finding;
};

/* Whatever its names are. */
static bool tale_open_any(struct tale *t, const char *name)
{
    *t = (struct tale){ 0 };
    if (!sample_open(&t->sample, name, "push"))
        return false;
    t->job = calloc(1, sizeof *t->job);
    assert_non_null(t->job);
    t->job->memory.base = t->sample.base;
    t->job->trace.capacity = JOB_TRACE;
    t->finding = &t->job->finding[0];
    return true;
}

static bool tale_open(struct tale *t, const char *name)
{
    return DEBUG_INFORMATION && tale_open_any(t, name);
}

static void tale_close(struct tale *t)
{
    free(t->job);
    sample_close(&t->sample);
}

/* Of an object, with one operation for each process. */
static void cast(struct tale *t, unsigned processes)
{
    struct job_description *const d = &t->job->target;
    d->object = true;
    d->processes = d->scenario = processes;
    d->operations = 2;
    snprintf(d->operation[0].name, sizeof d->operation[0].name, "push");
    snprintf(d->operation[1].name, sizeof d->operation[1].name, "pop");
    for (unsigned op = 0; op < processes; op++) {
        struct plumb_record_entry *const e = &t->finding->entry[op];
        d->process[op] = (uint8_t)op;
        e->operation = op % 2;
        e->call = 1;
        atomic_store(&e->ret, 2);
        if (op % 2 == 0) {
            e->nargs = 1;
            e->value[0] = plumb_int(op + 1);
        } else {
            e->nres = 1;
            e->value[0] = plumb_int(7);
        }
    }
}

static void fault(struct tale *t, enum scheduler_fault what)
{
    t->job->findings = 1;
    t->finding->what.fault = what;
    t->finding->length = t->job->trace.count
                             ? t->job->record[t->job->trace.count - 1].step + 2
                             : 0;
}

static struct job_trace_record *add(struct tale *t, unsigned thread,
                                    uint32_t step, enum job_trace_kind kind)
{
    struct job_trace_record *const r = &t->job->record[t->job->trace.count++];
    *r = (struct job_trace_record){ .thread = (uint8_t)thread,
                                    .step = step,
                                    .kind = (uint8_t)kind };
    return r;
}

static struct job_trace_record *access_at(struct tale *t, unsigned thread,
                                          uint32_t step,
                                          enum job_trace_kind kind, uint64_t at,
                                          uint32_t size, uint64_t before,
                                          uint64_t after)
{
    struct job_trace_record *const r = add(t, thread, step, kind);
    r->at = at;
    r->size = size;
    r->before = before;
    r->after = after;
    r->known = true;
    return r;
}

static uint64_t code(const struct tale *t, const char *function,
                     const char *line)
{
    return t->sample.base + sample_code(&t->sample, function, line);
}

static uint64_t allocates(const struct tale *t, const char *function)
{
    return t->sample.base + sample_allocates(&t->sample, function);
}

static void sync_on(struct tale *t, unsigned thread, uint32_t step,
                    const char *name, uint64_t at, int answer)
{
    struct job_trace_record *const r = add(t, thread, step, TRACE_SYNC);
    snprintf(r->name, sizeof r->name, "%s", name);
    r->at = at;
    r->after = (uint32_t)answer;
    r->known = true;
    r->pc = t->sample.base + 16 * (uint64_t)(step + 1); /* no place */
}

static void stands(struct tale *t, unsigned thread,
                   enum plumb_strategies_standing how,
                   enum plumb_strategies_event_kind kind, uint64_t at,
                   uint64_t pc)
{
    if (t->job->memory.threads <= thread)
        t->job->memory.threads = thread + 1;
    t->job->memory.end[thread].standing = how;
    t->job->memory.end[thread].kind = kind;
    t->job->memory.end[thread].at = at;
    t->job->memory.end[thread].pc = pc;
}

static void expect_as(const struct tale *t, struct plumb_report_style style,
                      bool all, const char *expected)
{
    struct plumb_base_text out;
    plumb_base_text_init(&out, NULL);
    explore_show_interleaving(t->job, t->sample.path, &style, all, &out);
    assert_string_equal(plumb_base_text_string(&out), expected);
    plumb_base_text_release(&out);
}

static void expect(const struct tale *t, const char *expected)
{
    expect_as(t, (struct plumb_report_style){ .width = 72 }, false, expected);
}

/* ---- a stack ---- */

static const char *const push_load = "    struct node *t = atomic_load";
static const char *const push_store = "        atomic_store(&n->next";
static const char *const push_cas = "    while (!atomic_compare";

static void tell_push(struct tale *t)
{
    const uint64_t top = sample_at(&t->sample, "top");
    const uint64_t first = heap + 16, second = heap + 48;
    cast(t, 2);
    add(t, 0, 0, TRACE_CALL)->after = 0;
    struct job_trace_record *r =
        access_at(t, 0, 0, TRACE_ALLOCATE, first, 16, 0, 0);
    r->pc = allocates(t, "make");
    r = access_at(t, 0, 1, TRACE_LOAD, top, 8, 0, 0);
    r->pc = code(t, "push", push_load);
    r = access_at(t, 0, 2, TRACE_STORE, first, 8, 0, 0);
    r->pc = code(t, "push", push_store);
    add(t, 1, 3, TRACE_CALL)->after = 1;
    r = access_at(t, 1, 3, TRACE_ALLOCATE, second, 16, 0, 1);
    r->pc = allocates(t, "make");
    r = access_at(t, 1, 4, TRACE_CAS, top, 8, 0, second);
    r->pc = code(t, "push", push_cas);
    add(t, 1, 4, TRACE_RETURN)->after = 1;
    add(t, 1, 4, TRACE_END);
    r = access_at(t, 0, 5, TRACE_CAS, top, 8, second, first);
    r->pc = code(t, "push", push_cas);
    r = access_at(t, 0, 6, TRACE_STORE, first, 8, 0, second);
    r->pc = code(t, "push", push_store);
    r = access_at(t, 0, 7, TRACE_CAS, top, 8, second, first);
    r->expected = second;
    r->pc = code(t, "push", push_cas);
    add(t, 0, 7, TRACE_RETURN)->after = 0;
    add(t, 0, 7, TRACE_END);
    stands(t, 0, PLUMB_ENDED, PLUMB_EVENT_LOCAL, 0, 0);
    stands(t, 1, PLUMB_ENDED, PLUMB_EVENT_LOCAL, 0, 0);
    fault(t, FAULT_HISTORY);
}

static void names_values_and_lines_are_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLE_COUNT; i++) {
        struct tale t;
        if (!tale_open(&t, samples[i]))
            continue;
        tell_push(&t);
        expect(&t, "  interleaving (1 preemption; --verbose for more)\n"
                   "   step  P1                      P2\n"
                   "      0  push(1)\n"
                   "         │ malloc node#1                                   "
                   " sample.c:96\n"
                   "      1  │ load top → ∅                                    "
                   " sample.c:124\n"
                   "      2  │ store node#1.next ← ∅                           "
                   " sample.c:126\n"
                   "         ↳ preempted\n"
                   "      3                          pop()\n"
                   "                                 │ malloc node#2           "
                   " sample.c:96\n"
                   "      4                          │ cas top ∅→node#2 ok     "
                   " sample.c:127\n"
                   "                                 pop() = 7\n"
                   "      5  │ cas top ∅→node#1 failed (was node#2)            "
                   " sample.c:127\n"
                   "      6  │ store node#1.next ← node#2                      "
                   " sample.c:126\n"
                   "      7  │ cas top node#2→node#1 ok                        "
                   " sample.c:127\n"
                   "         push(1) = ok\n");
        tale_close(&t);
    }
}

static void ascii_is_enough(void **state)
{
    (void)state;
    struct tale t;
    if (!tale_open(&t, samples[0]))
        skip();
    tell_push(&t);
    expect_as(&t, (struct plumb_report_style){ .width = 72, .ascii = true },
              false,
              "  interleaving (1 preemption; --verbose for more)\n"
              "   step  P1                      P2\n"
              "      0  push(1)\n"
              "         | malloc node#1                                    "
              "sample.c:96\n"
              "      1  | load top -> NULL                                 "
              "sample.c:124\n"
              "      2  | store node#1.next <- NULL                        "
              "sample.c:126\n"
              "         > preempted\n"
              "      3                          pop()\n"
              "                                 | malloc node#2            "
              "sample.c:96\n"
              "      4                          | cas top NULL->node#2 ok  "
              "sample.c:127\n"
              "                                 pop() = 7\n"
              "      5  | cas top NULL->node#1 failed (was node#2)         "
              "sample.c:127\n"
              "      6  | store node#1.next <- node#2                      "
              "sample.c:126\n"
              "      7  | cas top node#2->node#1 ok                        "
              "sample.c:127\n"
              "         push(1) = ok\n");
    tale_close(&t);
}

/* ---- values ---- */

static void values_are_of_the_type_of_their_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLE_COUNT; i++) {
        struct tale t;
        const double half = 0.5;
        uint64_t bits;
        if (!tale_open(&t, samples[i]))
            continue;
        const struct sample *const s = &t.sample;
        const uint64_t queue = sample_hidden(s, "q");
        memcpy(&bits, &half, sizeof bits);
        access_at(&t, 0, 0, TRACE_STORE, queue + 104, 4, 0, 5);
        access_at(&t, 0, 1, TRACE_STORE, queue + 104, 4, 5, 3);
        access_at(&t, 0, 2, TRACE_STORE, queue + 108, 1, 0, 1);
        access_at(&t, 0, 3, TRACE_STORE, queue + 40, 8, 0, 3);
        access_at(&t, 0, 4, TRACE_STORE, queue + 40, 8, 0,
                  sample_at(s, "wide"));
        access_at(&t, 0, 5, TRACE_MODIFY, sample_at(s, "table") + 8, 4, 3,
                  0xffffffff);
        access_at(&t, 0, 6, TRACE_STORE, sample_at(s, "ratio"), 8, 0, bits);
        access_at(&t, 0, 7, TRACE_LOAD, sample_at(s, "narrow"), 8, 0,
                  UINT64_C(0x700000002));
        access_at(&t, 0, 8, TRACE_LOAD, sample_at(s, "wide"), 16, 0, queue);
        access_at(&t, 0, 9, TRACE_STORE, sample_at(s, "word"), 8, 0,
                  UINT64_C(0xdeadbeef12));
        access_at(&t, 0, 10, TRACE_STORE, sample_at(s, "word"), 8, 0,
                  sample_at(s, "push"));
        access_at(&t, 0, 11, TRACE_LOAD, sample_at(s, "table") + 1, 2, 0, 9);
        access_at(&t, 0, 12, TRACE_MODIFY, sample_at(s, "top"), 8,
                  sample_at(s, "level"), 0);
        expect(&t, "  interleaving (0 preemptions; --verbose for more)\n"
                   "   step  T0\n"
                   "      0  store queue.state ← BUSY\n"
                   "      1  store queue.state ← 3\n"
                   "      2  store queue.closed ← true\n"
                   "      3  store queue.head ← 3\n"
                   "      4  store queue.head ← &wide\n"
                   "      5  update table[2] 3→-1\n"
                   "      6  store ratio ← 0.5\n"
                   "      7  load narrow → {2,7}\n"
                   "      8  load wide → {&queue.lock,0}\n"
                   "      9  store word ← 0xdeadbeef12\n"
                   "     10  store word ← push()\n"
                   "     11  load table[0]+1 → 9\n"
                   "     12  exchange top &level→∅\n");
        tale_close(&t);
    }
}

static void blocks_are_numbered_by_type(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLE_COUNT; i++) {
        struct tale t;
        if (!tale_open(&t, samples[i]))
            continue;
        const uint64_t top = sample_at(&t.sample, "top");
        const uint64_t pc = allocates(&t, "make");
        access_at(&t, 0, 0, TRACE_ALLOCATE, heap, 16, 0, 0)->pc = pc;
        access_at(&t, 0, 1, TRACE_ALLOCATE, heap + 64, 24, 0, 1)->pc = 5;
        access_at(&t, 0, 2, TRACE_STORE, heap + 72, 8, 0, heap + 64);
        access_at(&t, 0, 3, TRACE_STORE, heap + 8, 8, 0, 4);
        access_at(&t, 0, 4, TRACE_FREE, heap, 16, 0, 0);
        access_at(&t, 0, 5, TRACE_ALLOCATE, heap, 16, 0, 2)->pc = pc;
        access_at(&t, 0, 6, TRACE_STORE, top, 8, 0, heap);
        access_at(&t, 0, 7, TRACE_STORE, top, 8, 0, heap + 1); /* marked */
        access_at(&t, 0, 8, TRACE_STORE, top, 8, 0, heap + 8);
        /* known by the pointer to it: nothing else is there */
        access_at(&t, 0, 9, TRACE_ALLOCATE, heap + 160, 16, 0, 3)->pc = 5;
        access_at(&t, 0, 10, TRACE_STORE, top, 8, 0, heap + 160);
        expect(&t, "  interleaving (0 preemptions; --verbose for more)\n"
                   "   step  T0\n"
                   "      0  malloc node#1                                 "
                   "sample.c:96\n"
                   "      1  malloc heap#1\n"
                   "      2  store heap#1+8 ← heap#1\n"
                   "      3  store node#1.value ← 4\n"
                   "      4  free node#1\n"
                   "      5  malloc node#2 (memory of node#1)              "
                   "sample.c:96\n"
                   "      6  store top ← node#2\n"
                   "      7  store top ← node#2|1\n"
                   "      8  store top ← &node#2.value\n"
                   "      9  malloc node#3\n"
                   "     10  store top ← node#3\n");
        tale_close(&t);
    }
}

static void stacks_and_thread_locals_have_owners(void **state)
{
    (void)state;
    struct tale t;
    if (!tale_open(&t, samples[0]))
        skip();
    cast(&t, 2);
    const uint64_t stack = UINT64_C(0x210000000000);
    t.job->memory.stack[1].at = stack;
    t.job->memory.stack[1].size = 4096;
    t.job->memory.locals[1].at = stack + 8192;
    t.job->memory.locals[1].size = 32;
    access_at(&t, 0, 0, TRACE_STORE, stack + 8192 + 16, 8, 0, 1);
    access_at(&t, 0, 1, TRACE_STORE, stack + 4000, 8, 0, 1);
    access_at(&t, 0, 2, TRACE_STORE, sample_at(&t.sample, "top"), 8, 0,
              stack + 2000);
    access_at(&t, 0, 3, TRACE_LOAD, stack + 2008, 8, 0, 6);
    expect(&t, "  interleaving (0 preemptions; --verbose for more)\n"
               "   step  P1\n"
               "      0  store P2:mine[2] ← 1\n"
               "      1  store stack of P2-96 ← 1\n"
               "      2  store top ← node@P2\n"
               "      3  load node@P2.value → 6\n");
    tale_close(&t);
}

/* ---- what is left out ---- */

static void loops_are_folded(void **state)
{
    (void)state;
    struct tale t;
    if (!tale_open(&t, samples[0]))
        skip();
    const uint64_t level = sample_at(&t.sample, "level");
    for (uint32_t k = 0; k < 20; k++)
        access_at(&t, 0, k, TRACE_LOAD, level, 1, 0, 0);
    for (uint32_t k = 20; k < 32; k++)
        access_at(&t, 0, k, TRACE_LOAD, level, 1, 0, 1 + k % 2);
    expect(&t,
           "  interleaving (0 preemptions; 5 of 32 lines, --verbose for all)\n"
           "   step  T0\n"
           "      0  load level → 0\n"
           "         … 19 more times: load level → 0\n"
           "     20  load level → 1\n"
           "     21  load level → 2\n"
           "         … these 2 lines 5 more times\n");
    tale_close(&t);
}

static void what_nobody_else_sees_is_for_the_curious(void **state)
{
    (void)state;
    struct tale t;
    if (!tale_open(&t, samples[0]))
        skip();
    const uint64_t table = sample_at(&t.sample, "table");
    add(&t, 0, 0, TRACE_ENTER)->at = sample_at(&t.sample, "push") + 1;
    access_at(&t, 0, 0, TRACE_READ, table, 4, 1, 1);
    access_at(&t, 0, 0, TRACE_WRITE, table + 8, 4, 0, 0)->known = false;
    add(&t, 0, 0, TRACE_LEAVE);
    access_at(&t, 1, 1, TRACE_READ, table + 8, 4, 6, 6);
    expect(&t, "  interleaving (0 preemptions; --verbose for more)\n"
               "   step  T0                         T1\n"
               "      0  write table[2] ← 6                                    "
               "   push()\n"
               "      1                             read table[2] → 6\n");
    expect_as(&t, (struct plumb_report_style){ .width = 72 }, true,
              "  interleaving (0 preemptions)\n"
              "   step  T0                         T1\n"
              "      0  push()\n"
              "         │ read table[0] → 1                                    "
              "  push()\n"
              "         │ write table[2] ← 6                                   "
              "  push()\n"
              "      1                             read table[2] → 6\n");
    tale_close(&t);
}

static void what_is_far_from_a_switch_is_folded(void **state)
{
    (void)state;
    struct tale t;
    if (!tale_open(&t, samples[0]))
        skip();
    const uint64_t table = sample_at(&t.sample, "table");
    cast(&t, 2);
    add(&t, 0, 0, TRACE_CALL)->after = 0;
    for (uint32_t k = 0; k < 30; k++)
        access_at(&t, 0, k, TRACE_LOAD, table + k % 8 * 4, 4, 0, k);
    add(&t, 1, 30, TRACE_CALL)->after = 1;
    for (uint32_t k = 30; k < 50; k++)
        access_at(&t, 1, k, TRACE_STORE, table + k % 8 * 4, 4, 0, k);
    add(&t, 1, 50, TRACE_RETURN)->after = 1;
    add(&t, 1, 50, TRACE_END);
    access_at(&t, 0, 51, TRACE_STORE, table, 4, 0, 1);
    add(&t, 0, 51, TRACE_RETURN)->after = 0;
    fault(&t, FAULT_HISTORY);
    expect(&t,
           "  interleaving (1 preemption; 11 of 56 lines, --verbose for all)\n"
           "   step  P1                             P2\n"
           "      0  push(1)\n"
           "         │ … 27 steps\n"
           "     27  │ load table[3] → 27\n"
           "     28  │ load table[4] → 28\n"
           "     29  │ load table[5] → 29\n"
           "         ↳ preempted\n"
           "     30                                 pop()\n"
           "                                        │ … 20 steps\n"
           "     50                                 pop() = 7\n"
           "     51  │ store table[0] ← 1\n"
           "         push(1) = ok\n");
    tale_close(&t);
}

static void a_long_story_loses_its_middle(void **state)
{
    (void)state;
    struct tale t;
    struct plumb_base_text out;
    size_t lines = 0;
    if (!tale_open(&t, samples[0]))
        skip();
    const uint64_t table = sample_at(&t.sample, "table");
    for (uint32_t k = 0; k < 1000; k++) /* of two threads: all are near */
        access_at(&t, k % 2, k, TRACE_STORE, table, 4, k, k + 1);
    plumb_base_text_init(&out, NULL);
    explore_show_interleaving(t.job, t.sample.path,
                              &(struct plumb_report_style){ .width = 80 },
                              false, &out);
    const char *const text = plumb_base_text_string(&out);
    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    assert_int_equal(lines, 2 + 201);
    assert_non_null(strstr(text, "table[0] ← 1\n"));
    assert_non_null(strstr(text, " lines of all threads\n"));
    assert_non_null(strstr(text, "table[0] ← 1000\n"));
    plumb_base_text_release(&out);
    tale_close(&t);
}

/* ---- what went wrong ---- */

static void a_deadlock_is_a_circle(void **state)
{
    (void)state;
    struct tale t;
    if (!tale_open(&t, samples[0]))
        skip();
    const uint64_t a = sample_at(&t.sample, "a"), b = sample_at(&t.sample, "b");
    cast(&t, 2);
    sync_on(&t, 0, 0, "pthread_mutex_lock", a, 0);
    t.job->record[0].pc = code(&t, "push", push_load);
    sync_on(&t, 1, 1, "pthread_mutex_lock", b, 0);
    t.job->record[1].pc = allocates(&t, "make");
    stands(&t, 0, PLUMB_WAITING, PLUMB_EVENT_LOCK, b,
           code(&t, "push", push_store));
    stands(&t, 1, PLUMB_WAITING, PLUMB_EVENT_LOCK, a,
           code(&t, "push", push_cas));
    fault(&t, FAULT_DEADLOCK);
    expect(&t, "  deadlock: no thread can continue\n"
               "    P1 holds a (sample.c:124) and waits for b, held by P2 "
               "(sample.c:126)\n"
               "    P2 holds b (sample.c:96) and waits for a, held by P1 "
               "(sample.c:127)\n"
               "\n"
               "  interleaving (1 preemption; --verbose for more)\n"
               "   step  P1                      P2\n"
               "      0  lock a                                             "
               "sample.c:124\n"
               "         ↳ preempted\n"
               "      1                          lock b                     "
               "sample.c:96\n"
               "         ↳ waits for b, held by P2\n"
               "                                 ↳ waits for a, held by P1\n");
    tale_close(&t);
}

static void a_lost_wake_up_is_told(void **state)
{
    (void)state;
    struct tale t;
    if (!tale_open(&t, samples[0]))
        skip();
    const uint64_t a = sample_at(&t.sample, "a");
    const uint64_t ready = sample_at(&t.sample, "ready");
    sync_on(&t, 0, 7, "pthread_cond_signal", ready, 0);
    t.job->record[0].pc = code(&t, "push", push_cas);
    add(&t, 0, 7, TRACE_END);
    sync_on(&t, 1, 8, "pthread_mutex_lock", a, 0);
    sync_on(&t, 1, 10, "pthread_mutex_unlock", a, 0);
    const uint64_t pc = code(&t, "push", push_store);
    t.job->record[3].pc = pc;
    stands(&t, 0, PLUMB_ENDED, PLUMB_EVENT_LOCAL, 0, 0);
    stands(&t, 1, PLUMB_WAITING, PLUMB_EVENT_SYNC, ready, pc);
    fault(&t, FAULT_DEADLOCK);
    expect(&t, "  deadlock: no thread can continue\n"
               "    T1 waits for condition ready (sample.c:126);\n"
               "      the only signal came at step 7 (sample.c:127), before T1 "
               "waited: a\n      lost wake-up\n"
               "\n"
               "  interleaving (0 preemptions; --verbose for more)\n"
               "   step  T0                      T1\n"
               " ⋮    7  signal ready                                       "
               "sample.c:127\n"
               "         end\n"
               "      8                          lock a\n"
               " ⋮   10                          wait ready (unlock a)      "
               "sample.c:126\n"
               "                                 ↳ waits for ready\n");
    tale_close(&t);
}

static void who_waits_for_a_lock_is_not_preempted(void **state)
{
    (void)state;
    struct tale t;
    if (!tale_open(&t, samples[0]))
        skip();
    const uint64_t a = sample_at(&t.sample, "a");
    sync_on(&t, 0, 0, "pthread_mutex_lock", a, 0);
    sync_on(&t, 1, 1, "pthread_mutex_trylock", a, EBUSY);
    sync_on(&t, 0, 2, "pthread_mutex_unlock", a, 0);
    sync_on(&t, 1, 3, "pthread_mutex_lock", a, 0);
    add(&t, 0, 4, TRACE_YIELD);
    sync_on(&t, 1, 5, "pthread_mutex_unlock", a, 0);
    sync_on(&t, 0, 6, "pthread_mutex_lock", a, 0);
    sync_on(&t, 1, 7, "sem_post", a, 0);
    add(&t, 1, 7, TRACE_END);
    add(&t, 0, 8, TRACE_JOIN)->after = 1;
    t.job->record[9].pc = 1;
    expect(&t,
           "  interleaving (3 preemptions; --verbose for more)\n"
           "   step  T0                             T1\n"
           "      0  lock a\n"
           "         ↳ preempted\n"
           "      1                                 trylock a → busy\n"
           "                                        ↳ waits for a, held by T0\n"
           "      2  unlock a\n"
           "         ↳ yields\n"
           "      3                                 lock a\n"
           "                                        ↳ preempted\n"
           "      4  yield\n"
           "         ↳ waits for a, held by T1\n"
           "      5                                 unlock a\n"
           "                                        ↳ preempted\n"
           "      6  lock a\n"
           "         ↳ waits for the end of T1\n"
           "      7                                 sem_post a\n"
           "                                        end\n"
           "      8  join T1\n");
    tale_close(&t);
}

static void a_race_has_two_places(void **state)
{
    (void)state;
    struct tale t;
    if (!tale_open(&t, samples[0]))
        skip();
    const uint64_t at = sample_at(&t.sample, "table") + 4;
    access_at(&t, 0, 5, TRACE_WRITE, at, 4, 0, 0)->pc =
        code(&t, "push", push_store);
    t.job->record[0].known = false;
    access_at(&t, 1, 8, TRACE_READ, at, 4, 3, 3)->pc =
        code(&t, "push", push_load);
    fault(&t, FAULT_RACE);
    t.finding->what.at = (const void *)(uintptr_t)at;
    t.finding->what.thread = 1;
    t.finding->offset = sample_code(&t.sample, "push", push_load);
    t.finding->other = sample_code(&t.sample, "push", push_store);
    expect(&t, "  race on table[1]: nothing orders these two accesses\n"
               "    T0 writes it at step 5 (sample.c:126)\n"
               "    T1 reads it at step 8 (sample.c:124)\n"
               "\n"
               "  interleaving (0 preemptions; --verbose for more)\n"
               "   step  T0                      T1\n"
               " ⋮    5  write table[1] ← 3                                 "
               "sample.c:126\n"
               " ⋮    8                          read table[1] → 3          "
               "sample.c:124\n");
    tale_close(&t);
}

static void a_use_after_free_has_three_places(void **state)
{
    (void)state;
    struct tale t;
    if (!tale_open(&t, samples[0]))
        skip();
    cast(&t, 2);
    t.job->memory.prepared = 1;
    access_at(&t, 0, 0, TRACE_ALLOCATE, heap, 16, 0, 0)->pc =
        allocates(&t, "make");
    access_at(&t, 1, 3, TRACE_FREE, heap, 16, 0, 0)->pc =
        code(&t, "push", push_store);
    fault(&t, FAULT_FREED);
    t.finding->what.at = (const void *)(uintptr_t)(heap + 8);
    t.finding->offset = sample_code(&t.sample, "push", push_load);
    expect(&t, "  use after free: node#1.value\n"
               "    setup allocated it (sample.c:96)\n"
               "    P2 freed it at step 3 (sample.c:126)\n"
               "    P1 uses it at step 4 (sample.c:124)\n"
               "\n"
               "  interleaving (0 preemptions; --verbose for more)\n"
               "   step  P1                      P2\n"
               " ⋮    3                          free node#1                "
               "sample.c:126\n"
               "      4  ✗ use after free of node#1.value                   "
               "sample.c:124\n");
    t.finding->what.fault = FAULT_FREE;
    t.finding->what.at = (const void *)(uintptr_t)heap;
    expect(&t, "  double free: node#1\n"
               "    setup allocated it (sample.c:96)\n"
               "    P2 freed it at step 3 (sample.c:126)\n"
               "    P1 frees it at step 4 (sample.c:124)\n"
               "\n"
               "  interleaving (0 preemptions; --verbose for more)\n"
               "   step  P1                      P2\n"
               " ⋮    3                          free node#1                "
               "sample.c:126\n"
               "      4  ✗ invalid free                                     "
               "sample.c:124\n");
    tale_close(&t);
}

static void what_is_lost_is_told(void **state)
{
    (void)state;
    struct tale t;
    if (!tale_open(&t, samples[0]))
        skip();
    for (uint32_t k = 0; k < 3; k++)
        access_at(&t, 0, k, TRACE_ALLOCATE, heap + 64 * k, 16, 0, k)->pc =
            allocates(&t, "make");
    access_at(&t, 0, 10, TRACE_FREE, heap, 16, 0, 0);
    fault(&t, FAULT_LEAK);
    t.finding->what.at = (const void *)(uintptr_t)(heap + 64);
    t.finding->what.detail = 2;
    expect(
        &t,
        "  leak: node#2 was never freed, and nothing points to it; 1 more\n"
        "    T0 allocated it at step 1 (sample.c:96)\n"
        "\n"
        "  interleaving (0 preemptions; --verbose for more)\n"
        "   step  T0\n"
        "      0  malloc node#1                                 sample.c:96\n"
        "      1  malloc node#2                                 sample.c:96\n"
        "      2  malloc node#3                                 sample.c:96\n"
        " ⋮   10  free node#1\n");
    tale_close(&t);
}

/* ---- scenarios ---- */

static void scenarios_are_tables(void **state)
{
    (void)state;
    struct tale t;
    struct plumb_base_text out;
    if (!tale_open(&t, samples[0]))
        skip();
    struct job_description *const d = &t.job->target;
    cast(&t, 5);
    d->processes = 2;
    d->init_count = d->final_count = 1;
    d->process[1] = 0;
    d->process[2] = d->process[3] = 1;
    atomic_store(&t.finding->entry[1].ret, 0);
    t.finding->entry[3].call = 0;
    atomic_store(&t.finding->entry[3].ret, 0);
    plumb_base_text_init(&out, NULL);
    explore_show_scenario(t.job, t.finding, &(struct plumb_report_style){ 0 },
                          &out);
    assert_string_equal(plumb_base_text_string(&out),
                        "  init   push(1) = ok\n"
                        "         ───────────────────────────\n"
                        "         P1             P2\n"
                        "         pop()          push(3) = ok\n"
                        "                        (pop())\n"
                        "         ───────────────────────────\n"
                        "  final  push(5) = ok\n");
    plumb_base_text_release(&out);
    tale_close(&t);
}

/* ---- what a damaged process leaves ---- */

static void an_empty_trace_is_nothing(void **state)
{
    (void)state;
    struct tale t;
    if (!tale_open_any(&t, samples[0]))
        skip();
    expect(&t, "");
    tale_close(&t);
}

static void a_trace_that_was_cut_says_so(void **state)
{
    (void)state;
    struct tale t;
    if (!tale_open_any(&t, samples[0]))
        skip();
    struct plumb_base_text out;
    for (uint32_t k = 0; k < JOB_TRACE; k++)
        add(&t, 0, k, TRACE_YIELD);
    t.job->trace.count += 77;
    plumb_base_text_init(&out, NULL);
    explore_show_interleaving(t.job, t.sample.path,
                              &(struct plumb_report_style){ .width = 80 },
                              false, &out);
    assert_non_null(
        strstr(plumb_base_text_string(&out), "77 more records were not kept"));
    plumb_base_text_release(&out);
    tale_close(&t);
}

static void fill(struct plumb_base_rng *rng, void *at, size_t size)
{
    unsigned char *const byte = at;
    for (size_t i = 0; i < size; i++)
        byte[i] = (unsigned char)plumb_base_rng_next(rng);
}

/* Addresses that mean something, half of the time. */
static uint64_t any_address(struct plumb_base_rng *rng, const struct tale *t)
{
    switch (plumb_base_rng_below(rng, 5)) {
    case 0:
        return plumb_base_rng_next(rng);
    case 1:
        return t->sample.base + plumb_base_rng_below(rng, 0x6000);
    case 2:
        return heap + plumb_base_rng_below(rng, 256);
    case 3:
        return UINT64_MAX - plumb_base_rng_below(rng, 16);
    default:
        return plumb_base_rng_below(rng, 16);
    }
}

static void spoil(struct plumb_base_rng *rng, struct tale *t)
{
    struct job *const job = t->job;
    const uint32_t count = plumb_base_rng_below(rng, 200);
    fill(rng, job->record, count * sizeof *job->record);
    for (uint32_t i = 0; i < count; i++) {
        struct job_trace_record *const r = job->record + i;
        if (plumb_base_rng_chance(rng, 90))
            r->kind %= TRACE_OUTPUT + 1;
        if (plumb_base_rng_chance(rng, 90))
            r->thread %= 4;
        r->at = any_address(rng, t);
        r->pc = any_address(rng, t);
        r->after = any_address(rng, t);
        r->known = plumb_base_rng_chance(rng, 80);
        if (plumb_base_rng_chance(rng, 80))
            r->size = 1u << plumb_base_rng_below(rng, 6);
    }
    fill(rng, &job->memory.stack, sizeof job->memory.stack);
    fill(rng, &job->memory.end, sizeof job->memory.end);
    fill(rng, &job->finding[0], sizeof job->finding[0]);
    fill(rng, &job->target, sizeof job->target);
    job->target.object = plumb_base_rng_chance(rng, 50);
    job->memory.threads = plumb_base_rng_chance(rng, 50)
                              ? plumb_base_rng_below(rng, 8)
                              : (unsigned)plumb_base_rng_next(rng);
    job->memory.prepared = (uint32_t)plumb_base_rng_next(rng);
    job->finding[0].what.fault =
        (enum scheduler_fault)plumb_base_rng_below(rng, FAULT_LEAK + 3);
    if (plumb_base_rng_chance(rng, 50))
        job->finding[0].what.at = (const void *)(uintptr_t)any_address(rng, t);
    job->findings =
        plumb_base_rng_below(rng, 3) ? 1 : (uint32_t)plumb_base_rng_next(rng);
    job->trace.count = count;
}

static void expect_printable(const char *text)
{
    for (; *text; text++)
        assert_true((unsigned char)*text >= ' ' || *text == '\n');
}

static void garbage_is_survived(void **state)
{
    (void)state;
    struct plumb_base_rng rng;
    struct tale t;
    plumb_base_rng_seed(&rng, 11);
    if (!tale_open_any(&t, samples[0]))
        skip();
    for (unsigned round = 0; round < 300; round++) {
        struct plumb_base_text out;
        const struct plumb_report_style style = { .width = 20 + round,
                                                  .ascii = round % 2 };
        spoil(&rng, &t);
        plumb_base_text_init(&out, NULL);
        explore_show_interleaving(t.job, round % 9 ? t.sample.path : "/nowhere",
                                  &style, round % 3 == 0, &out);
        explore_show_scenario(t.job, t.finding, &style, &out);
        assert_false(out.broken);
        expect_printable(plumb_base_text_string(&out));
        plumb_base_text_release(&out);
    }
    tale_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_values_and_lines_are_told),
        cmocka_unit_test(ascii_is_enough),
        cmocka_unit_test(values_are_of_the_type_of_their_place),
        cmocka_unit_test(blocks_are_numbered_by_type),
        cmocka_unit_test(stacks_and_thread_locals_have_owners),
        cmocka_unit_test(loops_are_folded),
        cmocka_unit_test(what_nobody_else_sees_is_for_the_curious),
        cmocka_unit_test(what_is_far_from_a_switch_is_folded),
        cmocka_unit_test(a_long_story_loses_its_middle),
        cmocka_unit_test(a_deadlock_is_a_circle),
        cmocka_unit_test(a_lost_wake_up_is_told),
        cmocka_unit_test(who_waits_for_a_lock_is_not_preempted),
        cmocka_unit_test(a_race_has_two_places),
        cmocka_unit_test(a_use_after_free_has_three_places),
        cmocka_unit_test(what_is_lost_is_told),
        cmocka_unit_test(scenarios_are_tables),
        cmocka_unit_test(an_empty_trace_is_nothing),
        cmocka_unit_test(a_trace_that_was_cut_says_so),
        cmocka_unit_test(garbage_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
