/* test_recorder.c - what threads record is what is read, whatever happens to
 * them. */
#include "recordings.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

static plumb_recorder *record_to(const char *path)
{
    plumb_recorder *const r = plumb_record_open(path);
    if (!r)
        fail_msg("%s: %s", path, strerror(errno));
    return r;
}

/* Longer than clocks may differ, so that what follows comes after it for any
 * reader. */
static void pass_time(void)
{
    const struct timespec nap = { .tv_nsec = 20000 };
    nanosleep(&nap, NULL);
}

static void end_for_sure(plumb_recorder *r, const char *term,
                         const int64_t *results, size_t n)
{
    plumb_record_end(r, term, results, n);
    pass_time();
}

static void assert_recorded(const char *path, const char *expected)
{
    struct plumb_history h = read_whole(path);
    struct plumb_base_text t;
    plumb_base_text_init(&t, NULL);
    show_history(&t, &h);
    assert_string_equal(plumb_base_text_string(&t), expected);
    plumb_base_text_release(&t);
    plumb_history_release(&h);
}

static void what_is_recorded_is_read(void **state)
{
    char *const path = new_file();
    plumb_recorder *const r = record_to(path);
    const int64_t seven[] = { 7 }, many[] = { 1, -2, INT64_MAX, INT64_MIN };
    (void)state;
    plumb_record_begin(r, "Q", "enq", seven, 1);
    end_for_sure(r, NULL, NULL, 0);
    plumb_record_begin(r, "Q", "deq", NULL, 0);
    end_for_sure(r, NULL, seven, 1);
    plumb_record_begin(r, "Q", "deq", NULL, 0);
    end_for_sure(r, "empty", NULL, 0);
    plumb_record_begin(r, "S", "all", many, 4);
    end_for_sure(r, "ok", many, 4);
    assert_int_equal(plumb_record_close(r), 0);
    assert_recorded(path,
                    "0-1 P1 Q enq(7) ok ok(); 2-3 P1 Q deq() ok ok(7); "
                    "4-5 P1 Q deq() ok empty(); "
                    "6-7 P1 S all(1,-2,9223372036854775807,"
                    "-9223372036854775808) ok ok(1,-2,9223372036854775807,"
                    "-9223372036854775808)");
    forget_file(path);
}

static void values_of_all_kinds_are_recorded(void **state)
{
    char *const path = new_file();
    plumb_recorder *const r = record_to(path);
    const struct plumb_value args[] = { plumb_record_text("seven bytes"),
                                        plumb_int(-1), plumb_nil() };
    const struct plumb_value results[] = { plumb_bool(true), plumb_bool(false),
                                           plumb_record_text(""),
                                           plumb_record_text("12345678") };
    (void)state;
    plumb_record_begin_values(r, "M", "put", args, 3);
    plumb_record_end_values(r, "old", results, 4);
    pass_time();
    plumb_record_begin_values(r, "M", "none", NULL, 0);
    plumb_record_end_values(r, NULL, NULL, 0);
    pass_time();
    assert_int_equal(plumb_record_close(r), 0);
    assert_recorded(path, "0-1 P1 M put('seven bytes',-1,nil) ok "
                          "old(true,false,'','12345678'); "
                          "2-3 P1 M none() ok ok()");
    forget_file(path);
}

static void a_recording_may_name_its_specification(void **state)
{
    char *const path = new_file();
    plumb_recorder *const r = record_to(path);
    (void)state;
    plumb_record_spec(r, "queue:cap=4");
    assert_int_equal(plumb_record_close(r), 0);
    struct plumb_history h = read_whole(path);
    assert_string_equal(plumb_symbol_text(h.symbols, h.spec, NULL),
                        "queue:cap=4");
    plumb_history_release(&h);
    forget_file(path);
}

static void a_call_that_was_left_is_pending(void **state)
{
    char *const path = new_file();
    plumb_recorder *const r = record_to(path);
    (void)state;
    end_for_sure(r, NULL, NULL, 0); /* of nothing: not recorded */
    plumb_record_begin(r, "Q", "a", NULL, 0);
    plumb_record_begin(r, "Q", "b", NULL, 0);
    end_for_sure(r, NULL, NULL, 0);
    end_for_sure(r, NULL, NULL, 0);
    plumb_record_begin(r, "Q", "c", NULL, 0);
    assert_int_equal(plumb_record_close(r), 0);
    assert_recorded(path, "0-never P1 Q a() open; 1-2 P1.2 Q b() ok ok(); "
                          "3-never P1.2 Q c() open");
    forget_file(path);
}

static void nothing_recorded_is_a_history_without_operations(void **state)
{
    char *const path = new_file();
    (void)state;
    assert_int_equal(plumb_record_close(record_to(path)), 0);
    assert_recorded(path, "");
    forget_file(path);
}

static void a_file_that_cannot_be_made_is_told(void **state)
{
    (void)state;
    errno = 0;
    assert_null(plumb_record_open("/nowhere/at/all.rec"));
    assert_int_equal(errno, ENOENT);
}

/* ---- names ---- */

static void names_are_the_same_wherever_they_stand(void **state)
{
    char *const path = new_file(), one[] = "name", other[] = "name";
    plumb_recorder *const r = record_to(path);
    (void)state;
    plumb_record_begin(r, one, other, NULL, 0);
    end_for_sure(r, one, NULL, 0);
    plumb_record_begin(r, other, one, NULL, 0);
    end_for_sure(r, other, NULL, 0);
    plumb_record_begin(r, "", "", NULL, 0);
    end_for_sure(r, "", NULL, 0);
    assert_int_equal(plumb_record_close(r), 0);
    assert_recorded(path, "0-1 P1 name name() ok name(); "
                          "2-3 P1 name name() ok name(); "
                          "4-5 P1 (no name) (no name)() ok (no name)()");
    forget_file(path);
}

/* `count` different names, each of 200 bytes: they fill chunks. */
static char (*make_names(size_t count))[201]
{
    char(*const name)[201] = malloc(count * sizeof *name);
    assert_non_null(name);
    for (size_t i = 0; i < count; i++)
        snprintf(name[i], sizeof name[i], "%0200zu", i);
    return name;
}

static void objects_may_be_many(void **state)
{
    enum { MANY = 5000 };
    char *const path = new_file(), (*const name)[201] = make_names(MANY);
    plumb_recorder *const r = record_to(path);
    (void)state;
    for (int turn = 0; turn < 2; turn++)
        for (size_t i = 0; i < MANY; i++) {
            plumb_record_begin(r, name[i], "f", NULL, 0);
            plumb_record_end(r, NULL, NULL, 0);
        }
    assert_int_equal(plumb_record_close(r), 0);
    struct plumb_history h = read_whole(path);
    assert_int_equal(h.count, 2 * MANY);
    assert_int_equal(h.objects, MANY);
    for (size_t i = 0; i < 2 * MANY; i++)
        assert_string_equal(
            plumb_symbol_text(h.symbols, h.object[h.op[i].object], NULL),
            name[i % MANY]);
    plumb_history_release(&h);
    free(name);
    forget_file(path);
}

static void too_many_names_end_the_recording(void **state)
{
    enum { MANY = 600, ROOM = RECORDING_NAMES - 1 };
    char *const path = new_file(), (*const name)[201] = make_names(MANY);
    plumb_recorder *const r = record_to(path);
    char note[200];
    struct plumb_history h;
    struct plumb_error err;
    (void)state;
    for (size_t i = 0; i < MANY; i++) {
        plumb_record_begin(r, "Q", name[i], NULL, 0);
        end_for_sure(r, NULL, NULL, 0);
    }
    assert_int_equal(plumb_record_close(r), EOVERFLOW);
    const struct bytes b = read_file(path);
    assert_int_equal(read_bytes(b, false, &h, note, &err), PLUMB_OK);
    assert_int_equal(h.count, ROOM);
    assert_non_null(strstr(note, "left out"));
    plumb_history_release(&h);
    free(b.data);
    free(name);
    forget_file(path);
}

static void too_many_values_end_the_recording(void **state)
{
    char *const path = new_file();
    plumb_recorder *const r = record_to(path);
    const int64_t nine[9] = { 0 };
    struct plumb_history h;
    (void)state;
    plumb_record_begin(r, "Q", "a", nine, 8);
    end_for_sure(r, NULL, nine, 8);
    plumb_record_begin(r, "Q", "b", nine, 9);
    end_for_sure(r, NULL, NULL, 0);
    plumb_record_begin(r, "Q", "c", NULL, 0);
    end_for_sure(r, NULL, NULL, 0);
    assert_int_equal(plumb_record_close(r), E2BIG);
    h = read_whole(path);
    assert_int_equal(h.count, 1);
    assert_int_equal(h.op[0].nres, 8);
    plumb_history_release(&h);
    forget_file(path);
}

/* ---- threads ---- */

static void threads_are_recorded_side_by_side(void **state)
{
    static const unsigned threads[] = { 1, 2, 4, 16 };
    (void)state;
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        char *const path = new_file();
        struct counted c = { .r = record_to(path), .operations = 20000 };
        const uint64_t all = (uint64_t)c.operations * threads[i];
        count_in_threads(&c, threads[i]);
        assert_int_equal(plumb_record_close(c.r), 0);
        struct plumb_history h = read_whole(path);
        judge_history(&h, all, all);
        plumb_history_release(&h);
        forget_file(path);
    }
}

static void threads_that_come_and_go_share_a_place(void **state)
{
    char *const path = new_file();
    struct counted c = { .r = record_to(path), .operations = 50 };
    (void)state;
    for (int i = 0; i < 100; i++)
        count_in_threads(&c, 3);
    assert_int_equal(plumb_record_close(c.r), 0);
    struct plumb_history h = read_whole(path);
    judge_history(&h, 15000, 15000);
    assert_true(h.threads < 100);
    plumb_history_release(&h);
    const struct bytes b = read_file(path);
    assert_true(header_of(b)->taken < 100);
    free(b.data);
    forget_file(path);
}

static void two_recorders_do_not_mix(void **state)
{
    char *const path[2] = { new_file(), new_file() };
    struct counted c[2] = { { .r = record_to(path[0]) },
                            { .r = record_to(path[1]) } };
    (void)state;
    for (int i = 0; i < 5000; i++)
        count_once(&c[i % 3 == 0]);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(plumb_record_close(c[i].r), 0);
        struct plumb_history h = read_whole(path[i]);
        judge_history(&h, i ? 1667 : 3333, i ? 1667 : 3333);
        plumb_history_release(&h);
        forget_file(path[i]);
    }
}

/* Longer than the head of an event can say. */
static void a_long_time_may_pass(void **state)
{
    char *const path = new_file();
    plumb_recorder *const r = record_to(path);
    const uint64_t speed = plumb_record_clock(r).ticks_per_second;
    const double seconds = 4294967296.0 / (double)speed + 0.1;
    const int64_t seven = 7;
    const struct timespec nap = {
        .tv_sec = (time_t)seconds,
        .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)
    };
    (void)state;
    if (seconds < 5) {
        plumb_record_begin(r, "Q", "enq", &seven, 1);
        nanosleep(&nap, NULL);
        end_for_sure(r, NULL, &seven, 1);
        nanosleep(&nap, NULL);
        plumb_record_begin(r, "Q", "enq", &seven, 1);
        end_for_sure(r, NULL, &seven, 1);
    }
    assert_int_equal(plumb_record_close(r), 0);
    assert_recorded(path, seconds < 5 ? "0-1 P1 Q enq(7) ok ok(7); "
                                        "2-3 P1 Q enq(7) ok ok(7)"
                                      : "");
    forget_file(path);
}

/* ---- fences ----
 *
 * One thread writes 1, 2, 3, ... to a register, another reads it, all with accesses
 * that order nothing.  It is a correct register; but without the fences of the
 * recorder a store would be seen after its return was stamped, and a load be
 * done before its call was. */

struct plain_register {
    plumb_recorder *r;
    _Atomic bool over;
    _Alignas(64) _Atomic int64_t value;
};

enum { WRITES = 400000 };

/* Onto processor number `number` of those there are: they must meet. */
static void go_to(int number)
{
    cpu_set_t all, one;
    CPU_ZERO(&one);
    sched_getaffinity(0, sizeof all, &all);
    for (size_t p = 0, seen = 0; p < CPU_SETSIZE; p++)
        if (CPU_ISSET(p, &all) && seen++ == (size_t)(number % CPU_COUNT(&all)))
            CPU_SET(p, &one);
    sched_setaffinity(0, sizeof one, &one);
}

static void *write_register(void *context)
{
    struct plain_register *const p = context;
    go_to(0);
    for (int64_t i = 1; i <= WRITES; i++) {
        plumb_record_begin(p->r, "R", "write", &i, 1);
        atomic_store_explicit(&p->value, i, memory_order_relaxed);
        plumb_record_end(p->r, NULL, NULL, 0);
    }
    atomic_store(&p->over, true);
    return NULL;
}

static void *read_register(void *context)
{
    struct plain_register *const p = context;
    go_to(1);
    while (!atomic_load_explicit(&p->over, memory_order_relaxed)) {
        plumb_record_begin(p->r, "R", "read", NULL, 0);
        const int64_t v = atomic_load_explicit(&p->value, memory_order_relaxed);
        plumb_record_end(p->r, NULL, &v, 1);
    }
    return NULL;
}

/* What was written, or read, by an operation that had returned is the least
 * that may be read; what a write was called with the most. */
static void judge_register(struct plumb_history_recording *r)
{
    struct plumb_history_recorded_event e;
    struct plumb_error err;
    int64_t least[64] = { 0 }, written[64] = { 0 };
    int64_t seen = 0, most = 0;
    uint64_t returns = 0;
    while (plumb_history_recording_next(r, &e, &err) == PLUMB_RECORDED_EVENT) {
        assert_true(e.process < 64);
        int64_t v = e.values ? (int64_t)e.value[0].bits : 0;
        if (e.is_call) {
            least[e.process] = seen;
            written[e.process] = v;
            most = v > most ? v : most;
            continue;
        }
        if (written[e.process] == 0 && (v < least[e.process] || v > most))
            fail_msg("read %lld, not %lld to %lld", (long long)v,
                     (long long)least[e.process], (long long)most);
        v = written[e.process] ? written[e.process] : v;
        seen = v > seen ? v : seen;
        returns++;
    }
    assert_true(returns >= WRITES);
}

static void a_register_never_looks_stale(void **state)
{
    char *const path = new_file();
    struct plain_register p = { .r = record_to(path) };
    struct plumb_history_recording *r;
    struct plumb_error err;
    pthread_t thread[2];
    (void)state;
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&thread[i], NULL,
                                        i ? read_register : write_register, &p),
                         0);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    assert_int_equal(plumb_record_close(p.r), 0);
    const struct bytes b = read_file(path);
    assert_int_equal(
        plumb_history_recording_open(&r, b.data, b.size, false, NULL, &err),
        PLUMB_OK);
    judge_register(r);
    plumb_history_recording_close(r);
    free(b.data);
    forget_file(path);
}

/* ---- what happens to programs ---- */

/* In a child: count for ever, and say how far each thread came. */
struct victim {
    struct counted c;
    uint64_t most; /* about so many operations, then it sleeps */
    _Atomic uint64_t began, ended;
};

static void *be_a_victim(void *context)
{
    struct victim *const v = context;
    while (atomic_fetch_add(&v->began, 1) < v->most) {
        count_once(&v->c);
        atomic_fetch_add(&v->ended, 1);
    }
    pause();
    return NULL;
}

static _Noreturn void be_killed(struct victim *v, const char *path)
{
    pthread_t thread;
    v->c.r = plumb_record_open(path);
    if (!v->c.r)
        _exit(1);
    for (int i = 0; i < 3; i++)
        if (pthread_create(&thread, NULL, be_a_victim, v) != 0)
            _exit(1);
    for (;;)
        pause();
}

static struct victim *new_victim(void)
{
    void *const v = mmap(NULL, sizeof(struct victim), PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct victim *const victim = v;
    assert_true(v != MAP_FAILED);
    victim->most = 200000;
    return victim;
}

static pid_t start_victim(struct victim *v, const char *path,
                          uint64_t operations)
{
    const pid_t pid = fork();
    int how;
    assert_true(pid >= 0);
    if (pid == 0)
        be_killed(v, path);
    while (atomic_load(&v->ended) < operations &&
           waitpid(pid, &how, WNOHANG) == 0)
        ;
    return pid;
}

static void end_victim(pid_t pid)
{
    int how;
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, &how, 0), pid);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL);
}

static void nothing_is_lost_when_the_program_is_killed(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        char *const path = new_file();
        struct victim *const v = new_victim();
        end_victim(start_victim(v, path, i * i * i * 400 + 1));
        const int fd = open(path, O_RDONLY);
        assert_true(plumb_history_recording_is_whole(fd));
        close(fd);
        struct plumb_history h = read_whole(path);
        uint64_t ended = 0;
        for (uint32_t k = 0; k < h.count; k++)
            ended += h.op[k].outcome == PLUMB_OUTCOME_OK;
        judge_history(&h, h.count, ended);
        if (ended < v->ended || h.count > v->began)
            fail_msg("%llu of %llu ended, %u of %llu began",
                     (unsigned long long)ended, (unsigned long long)v->ended,
                     h.count, (unsigned long long)v->began);
        assert_true(h.count - ended <= 3);
        plumb_history_release(&h);
        munmap(v, sizeof *v);
        forget_file(path);
    }
}

/* Neither a copy of a file that is being written, nor the file itself, is taken
 * for whole; but what they say is right. */
static void a_file_can_be_read_while_it_is_written(void **state)
{
    char *const path = new_file();
    struct victim *const v = new_victim();
    const pid_t pid = start_victim(v, path, 1000);
    const int fd = open(path, O_RDONLY);
    (void)state;
    assert_false(plumb_history_recording_is_whole(fd));
    for (int i = 0; i < 20; i++) {
        const uint64_t before = atomic_load(&v->ended);
        const struct bytes b = read_file(path);
        struct plumb_history h;
        struct plumb_error err;
        char note[200];
        assert_int_equal(read_bytes(b, false, &h, note, &err), PLUMB_OK);
        assert_non_null(strstr(note, "left out"));
        uint64_t ended = 0;
        for (uint32_t k = 0; k < h.count; k++)
            ended += h.op[k].outcome == PLUMB_OUTCOME_OK;
        judge_history(&h, h.count, ended);
        if (i == 19)
            assert_true(before > 0 && h.count > 0);
        plumb_history_release(&h);
        free(b.data);
    }
    end_victim(pid);
    assert_true(plumb_history_recording_is_whole(fd));
    close(fd);
    munmap(v, sizeof *v);
    forget_file(path);
}

/* A child that may write files of so many bytes alone. */
static _Noreturn void fill_the_disk(const char *path, uint64_t bytes,
                                    bool ignores)
{
    const struct rlimit most = { bytes, bytes };
    struct counted c = { .operations = 20000 };
    pthread_t thread[3];
    signal(SIGXFSZ, ignores ? SIG_IGN : SIG_DFL);
    setrlimit(RLIMIT_FSIZE, &most);
    c.r = plumb_record_open(path);
    if (!c.r)
        _exit(2);
    for (int i = 0; i < 3; i++)
        if (pthread_create(&thread[i], NULL, count, &c) != 0)
            _exit(3);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    _exit(plumb_record_close(c.r) == EFBIG ? 0 : 4);
}

/* The program goes on, whether or not it minds the signal. */
static void record_on_a_full_disk(bool ignores)
{
    char *const path = new_file();
    struct plumb_history h;
    struct plumb_error err;
    char note[200];
    int how;
    const pid_t pid = fork();
    if (pid == 0)
        fill_the_disk(path, 700000, ignores);
    assert_int_equal(waitpid(pid, &how, 0), pid);
    assert_true(WIFEXITED(how));
    assert_int_equal(WEXITSTATUS(how), 0);
    const struct bytes b = read_file(path);
    assert_int_equal(read_bytes(b, false, &h, note, &err), PLUMB_OK);
    assert_non_null(strstr(note, "left out"));
    uint64_t ended = 0;
    for (uint32_t k = 0; k < h.count; k++)
        ended += h.op[k].outcome == PLUMB_OUTCOME_OK;
    assert_true(h.count > 1000);
    judge_history(&h, h.count, ended);
    plumb_history_release(&h);
    free(b.data);
    forget_file(path);
}

static void a_full_disk_ends_the_recording_at_a_moment(void **state)
{
    (void)state;
    record_on_a_full_disk(true);
    record_on_a_full_disk(false);
}

/* ---- following ---- */

struct follower {
    struct plumb_history_recording *r;
    struct judge judge;
    uint64_t later;
};

static struct follower follow(int fd)
{
    struct follower f = { .judge = new_judge() };
    struct plumb_error err;
    if (plumb_history_recording_follow(&f.r, fd, NULL, &err) != PLUMB_OK)
        fail_msg("cannot follow: %s", err.message);
    return f;
}

/* Events until there are no more for now; true if there will be none. */
static bool follow_on(struct follower *f, uint64_t most)
{
    struct plumb_history_recorded_event e;
    struct plumb_error err = { 0 };
    for (uint64_t n = 0; n < most; n++) {
        const enum plumb_history_recorded found =
            plumb_history_recording_next(f->r, &e, &err);
        if (found == PLUMB_RECORDED_ERROR)
            fail_msg("%s", err.message);
        if (found == PLUMB_RECORDED_END)
            return true;
        if (found == PLUMB_RECORDED_LATER) {
            f->later++;
            return false;
        }
        judge_event(&f->judge, &e);
    }
    return false;
}

static void unfollow(struct follower *f)
{
    plumb_history_recording_close(f->r);
    free(f->judge.least);
}

static void events_come_while_they_happen(void **state)
{
    char *const path = new_file();
    struct counted c = { .r = record_to(path), .operations = 100000 };
    const int fd = open(path, O_RDONLY);
    struct follower f = follow(fd);
    pthread_t thread[3];
    (void)state;
    assert_false(follow_on(&f, 10));
    count_once(&c);
    assert_false(follow_on(&f, 10));
    assert_int_equal(f.judge.returns, 1);
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, count, &c), 0);
    while (f.judge.returns < 2 * c.operations)
        assert_false(follow_on(&f, UINT64_MAX));
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    assert_false(follow_on(&f, UINT64_MAX));
    assert_int_equal(f.judge.returns, 3 * c.operations + 1);
    count_once(&c);
    assert_int_equal(plumb_record_close(c.r), 0);
    assert_true(follow_on(&f, UINT64_MAX));
    assert_int_equal(f.judge.calls, 3 * c.operations + 2);
    assert_int_equal(f.judge.returns, 3 * c.operations + 2);
    assert_null(plumb_history_recording_note(f.r));
    unfollow(&f);
    close(fd);
    forget_file(path);
}

static void the_end_of_a_killed_program_is_noticed(void **state)
{
    char *const path = new_file();
    struct victim *const v = new_victim();
    const pid_t pid = start_victim(v, path, 1);
    const int fd = open(path, O_RDONLY);
    struct follower f = follow(fd);
    (void)state;
    for (int i = 0; i < 50; i++)
        assert_false(follow_on(&f, 1000));
    end_victim(pid);
    assert_true(follow_on(&f, UINT64_MAX));
    assert_true(f.judge.returns >= v->ended && f.judge.calls <= v->began);
    assert_null(plumb_history_recording_note(f.r));
    unfollow(&f);
    close(fd);
    munmap(v, sizeof *v);
    forget_file(path);
}

static void only_files_are_replaced(void **state)
{
    (void)state;
    char link[64], target[64];
    snprintf(link, sizeof link, "/tmp/plumb-test-link-%d", (int)getpid());
    snprintf(target, sizeof target, "/tmp/plumb-test-nothing-%d",
             (int)getpid());
    assert_int_equal(symlink(target, link), 0);
    assert_null(plumb_record_open(link));
    assert_int_equal(errno, EEXIST);
    assert_null(plumb_record_open("/dev"));
    unlink(link);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_files_are_replaced),
        cmocka_unit_test(what_is_recorded_is_read),
        cmocka_unit_test(values_of_all_kinds_are_recorded),
        cmocka_unit_test(a_recording_may_name_its_specification),
        cmocka_unit_test(a_call_that_was_left_is_pending),
        cmocka_unit_test(nothing_recorded_is_a_history_without_operations),
        cmocka_unit_test(a_file_that_cannot_be_made_is_told),
        cmocka_unit_test(names_are_the_same_wherever_they_stand),
        cmocka_unit_test(objects_may_be_many),
        cmocka_unit_test(too_many_names_end_the_recording),
        cmocka_unit_test(too_many_values_end_the_recording),
        cmocka_unit_test(threads_are_recorded_side_by_side),
        cmocka_unit_test(threads_that_come_and_go_share_a_place),
        cmocka_unit_test(two_recorders_do_not_mix),
        cmocka_unit_test(a_long_time_may_pass),
        cmocka_unit_test(a_register_never_looks_stale),
        cmocka_unit_test(nothing_is_lost_when_the_program_is_killed),
        cmocka_unit_test(a_file_can_be_read_while_it_is_written),
        cmocka_unit_test(a_full_disk_ends_the_recording_at_a_moment),
        cmocka_unit_test(events_come_while_they_happen),
        cmocka_unit_test(the_end_of_a_killed_program_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
