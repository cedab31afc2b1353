/* publication.c - what else becomes of the results of a command. */
#include "publication.h"

#include "app/console/output.h"
#include "app/console/say.h"
#include "base/memory.h"
#include "json_tree.h"
#include "markup.h"
#include "writers.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Kinds of files, in the order of struct publish_settings. */
enum { JUNIT, SARIF, REPORT, PICTURE, FILES };

struct publication {
    const struct publish_settings *with;
    const struct console_options *o;
    struct console_output out[FILES];
    const char *path[FILES]; /* NULL: not wanted */
    int lines;               /* what was told, across processes */
};

/* ---- opening ---- */

static void give_up(struct publication *p)
{
    for (unsigned i = 0; i < FILES; i++)
        if (p->out[i].file)
            console_output_finish(&p->out[i], false);
    if (p->lines >= 0)
        close(p->lines);
    free(p);
}

static bool create(struct publication *p)
{
    for (unsigned i = 0; i < FILES; i++)
        if (p->path[i] && !console_output_create(&p->out[i], p->path[i]))
            return false;
    p->lines = memfd_create("plumb-results", MFD_CLOEXEC);
    return p->lines >= 0 ||
           console_fails("plumb: cannot keep results: %s", console_reason());
}

bool publish_asked(const struct publish_settings *with)
{
    return with->junit || with->sarif || with->report || with->svg ||
           with->annotations;
}

bool publish_open(struct publication **p, struct publish_settings *with,
                  const struct console_options *o, const char *subject,
                  bool json)
{
    with->subject = subject;
    with->json = json;
    *p = NULL;
    if (!publish_asked(with))
        return true;
    struct publication *const made = calloc(1, sizeof *made);
    if (!made)
        return console_fails("plumb: out of memory");
    *made = (struct publication){
        .with = with,
        .o = o,
        .path = { with->junit, with->sarif, with->report, with->svg },
        .lines = -1,
    };
    if (!create(made)) {
        give_up(made);
        return false;
    }
    *p = made;
    return true;
}

/* ---- being told ---- */

/* One write after the other; the position is shared by all processes. */
void publish_result(struct publication *p, const struct plumb_base_text *line)
{
    const char *at = line->data;
    size_t left = line->broken ? 0 : line->size;
    while (p && left) {
        const ssize_t written = write(p->lines, at, left);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            console_say("plumb: cannot keep a result for the report: %s",
                        console_reason());
            return;
        }
        at += written;
        left -= (size_t)written;
    }
}

/* ---- writing ---- */

struct findings {
    struct plumb_base_arena arena;
    struct finding *f;
    size_t count, room, lines;
};

static bool add_finding(const struct publication *p, struct findings *all,
                        const char *line, size_t size)
{
    struct finding f;
    struct plumb_error err = { 0 };
    all->lines++;
    if (size == 0 ||
        (finding_read(line, size, &all->arena, &f, &err) == PLUMB_OK &&
         PLUMB_APPEND(NULL, all->f, all->count, all->room, f)))
        return true;
    if (p->with->lines_of && err.column)
        return console_fails("%s:%zu:%" PRIu64 ": %s", p->with->lines_of,
                             all->lines, err.column, err.message);
    if (p->with->lines_of)
        return console_fails("%s:%zu: %s", p->with->lines_of, all->lines,
                             err.message);
    return console_fails("plumb: cannot read a result for the report: %s",
                         err.message);
}

/* A word of the command line that has no part in the verdict; if its value is
 * the next word, so is that. */
static bool is_beside(const char *word, bool *next)
{
    static const char *const names[] = { "--report",      "--svg",
                                         "--junit",       "--sarif",
                                         "--annotations", "--json",
                                         "--no-source" };
    enum { WITH_VALUE = 5 };
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t size = strlen(names[i]);
        if (strncmp(word, names[i], size) != 0 ||
            (word[size] && word[size] != '='))
            continue;
        *next = i < WITH_VALUE && !word[size];
        return true;
    }
    return false;
}

/* The command line, without what was only to be written. */
static const char *command_line(const struct publication *p,
                                struct plumb_base_arena *arena)
{
    const struct console_options *const o = p->o;
    struct plumb_base_text line = { 0 };
    plumb_base_text_add(&line, "plumb");
    for (int i = 0; i < o->argc; i++) {
        bool next = false;
        if (is_beside(o->argv[i], &next)) {
            i += next;
            continue;
        }
        plumb_base_text_add(&line, " ");
        publish_quote(o->argv[i], &line);
    }
    const char *const text = plumb_base_text_string(&line);
    const char *const copy =
        plumb_base_arena_copy(arena, text, strlen(text) + 1);
    plumb_base_text_release(&line);
    return copy ? copy : "";
}

/* What has no schedule is shown again by the same command. */
static void set_replays(const struct publication *p, struct findings *all)
{
    if (p->with->lines_of)
        return;
    const char *const line = command_line(p, &all->arena);
    for (size_t i = 0; i < all->count; i++)
        if (!all->f[i].scheduled)
            all->f[i].replay = line;
}

static bool read_findings(const struct publication *p, struct findings *all,
                          const char *data, size_t size)
{
    bool good = true;
    while (size) {
        const char *const end = memchr(data, '\n', size);
        const size_t length = end ? (size_t)(end - data) : size;
        good = add_finding(p, all, data, length) && good;
        data += length + (end ? 1 : 0);
        size -= length + (end ? 1 : 0);
    }
    return good;
}

/* What somebody else wrote may name any file. */
static enum publish_sources sources_of(const struct publish_settings *with)
{
    return with->no_source  ? SOURCES_NONE
           : with->lines_of ? SOURCES_HERE
                            : SOURCES_ALL;
}

static void write_form(const struct publication *p, unsigned form,
                       const struct findings *all, struct plumb_base_text *out)
{
    if (form == JUNIT)
        publish_write_junit(all->f, all->count, out);
    else if (form == SARIF)
        publish_write_sarif(all->f, all->count, out);
    else if (form == REPORT)
        publish_write_report(all->f, all->count, sources_of(p->with), out);
    else
        publish_write_picture(all->f, all->count, out);
}

static bool write_file(struct publication *p, unsigned form,
                       const struct findings *all)
{
    const struct plumb_sink sink = console_output_sink(&p->out[form]);
    struct plumb_base_text text = { 0 };
    write_form(p, form, all, &text);
    bool good = !text.broken || console_fails("plumb: out of memory");
    good = good && sink.write(sink.context, text.data, text.size) == 0;
    plumb_base_text_release(&text);
    good = console_output_finish(&p->out[form], good) && good;
    p->out[form].file = NULL;
    return good;
}

static bool write_annotations(const struct publication *p,
                              const struct findings *all)
{
    struct plumb_base_text text = { 0 };
    publish_write_annotations(all->f, all->count, &text);
    fputs(plumb_base_text_string(&text), p->with->json ? stderr : stdout);
    const bool good = !text.broken;
    plumb_base_text_release(&text);
    return good && console_flush_results();
}

static bool write_all(struct publication *p, const struct findings *all)
{
    bool good = true;
    for (unsigned i = 0; i < FILES; i++)
        if (p->path[i])
            good &= write_file(p, i, all);
    return (!p->with->annotations || write_annotations(p, all)) && good;
}

/* A run that ended before it had a result is no pass. */
static void tell_nothing(struct publication *p)
{
    struct plumb_base_text line = { 0 };
    publish_json_begin(p->o->command->name,
                       p->with->subject ? p->with->subject
                                        : p->o->command->name,
                       p->with->subject, &line);
    plumb_report_json_verdict("error", PLUMB_SAYS_ERROR, &line);
    plumb_report_json_text("reason",
                           "the run ended without a result; its standard error "
                           "says why",
                           &line);
    plumb_base_text_add(&line, "}\n");
    publish_result(p, &line);
    plumb_base_text_release(&line);
}

enum console_status publish_close(struct publication *p,
                                  enum console_status status)
{
    struct findings all = { .count = 0 };
    if (!p)
        return status;
    if (lseek(p->lines, 0, SEEK_END) == 0)
        tell_nothing(p);
    const off_t size = lseek(p->lines, 0, SEEK_END);
    void *const data =
        size > 0 ? mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, p->lines, 0)
                 : NULL;
    bool good = data != MAP_FAILED && size >= 0;
    if (good)
        good = read_findings(p, &all, data, (size_t)size);
    set_replays(p, &all);
    if (good || !p->with->lines_of)
        good = write_all(p, &all) && good;
    if (data && data != MAP_FAILED)
        munmap(data, (size_t)size);
    plumb_base_arena_release(&all.arena);
    PLUMB_RELEASE(NULL, all.f, all.room);
    give_up(p);
    return good ? status : console_worse_status(status, STATUS_ERROR);
}

/* ---- results of another run ---- */

bool publish_is_result(const char *text, size_t size)
{
    struct plumb_base_arena arena = { .budget = NULL };
    struct plumb_error err = { 0 };
    const char *const end = size ? memchr(text, '\n', size) : NULL;
    const struct publish_json *const v = publish_json_read(
        text, end ? (size_t)(end - text) : size, &arena, &err);
    const bool is = publish_json_number(v, "format", 0) &&
                    publish_json_text(v, "command")[0];
    plumb_base_arena_release(&arena);
    return is;
}

enum console_status publish_results_of(struct publish_settings *with,
                                       const struct console_options *o,
                                       const char *name, const char *text,
                                       size_t size)
{
    struct publication *p;
    struct plumb_base_text line = { 0 };
    with->lines_of = name;
    if (!publish_open(&p, with, o, name, false))
        return STATUS_ERROR;
    plumb_base_text_bytes(&line, text, size);
    if (line.broken)
        console_say("plumb: out of memory");
    publish_result(p, &line);
    const enum console_status status =
        line.broken ? STATUS_ERROR : STATUS_HOLDS;
    plumb_base_text_release(&line);
    return publish_close(p, status);
}
