/* quoted.c - lines of files that steps are at, with a few around them. */
#include "quoted.h"

#include "app/publish/markup.h"
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    AROUND = 3,          /* lines before and behind     */
    MOST_FILES = 40,     /* more are not quoted         */
    MOST_LINES = 4000,   /* of all files                */
    WIDEST = 240,        /* characters of a line        */
    MOST_BYTES = 8 << 20 /* of a file that is quoted    */
};

/* ---- which lines ---- */

static const char *path_of(const struct finding_place *at)
{
    return at->absolute[0] ? at->absolute : at->name;
}

static uint32_t find_file(const struct quoted *q,
                          const struct finding_place *at)
{
    for (uint32_t i = 0; i < q->files; i++)
        if (strcmp(path_of(q->file[i]), path_of(at)) == 0)
            return i;
    return FINDING_NONE;
}

static bool may_be_quoted(const struct page *p, const struct finding_place *at)
{
    const char *const path = publish_path(at->name, path_of(at));
    return p->sources == SOURCES_ALL || (p->sources == SOURCES_HERE &&
                                         path[0] != '/' && !strstr(path, ".."));
}

static uint32_t add_file(const struct page *p, struct quoted *q,
                         const struct finding_place *at)
{
    const uint32_t known = find_file(q, at);
    if (known != FINDING_NONE || q->files == MOST_FILES ||
        !may_be_quoted(p, at))
        return known;
    q->file[q->files] = at;
    return (uint32_t)q->files++;
}

static int by_line(const void *a, const void *b)
{
    const struct quoted_line *const x = a, *const y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

/* Every line near a step; one of each, with its first step. */
static void sort_lines(struct quoted *q)
{
    size_t count = 0;
    qsort(q->line, q->count, sizeof *q->line, by_line);
    for (size_t i = 0; i < q->count; i++)
        if (count == 0 || q->line[i].file != q->line[count - 1].file ||
            q->line[i].line != q->line[count - 1].line)
            q->line[count++] = q->line[i];
    q->count = count < MOST_LINES ? count : MOST_LINES;
}

uint32_t quoted_at(const struct quoted *q, const struct finding_place *place)
{
    const uint32_t file = place->line ? find_file(q, place) : FINDING_NONE;
    for (uint32_t i = 0; file != FINDING_NONE && i < q->count; i++)
        if (q->line[i].file == file && q->line[i].line == place->line)
            return i;
    return FINDING_NONE;
}

/* ---- what is on them ---- */

struct source {
    const char *data; /* NULL: cannot be read, or is no text */
    size_t size, at;
    uint32_t line; /* that begins at `at` */
};

static struct source open_source(const char *path)
{
    struct source s = { .line = 1 };
    struct stat about;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return s;
    if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0 &&
        about.st_size <= MOST_BYTES) {
        s.size = (size_t)about.st_size;
        void *const data = mmap(NULL, s.size, PROT_READ, MAP_PRIVATE, fd, 0);
        s.data = data == MAP_FAILED ? NULL : data;
    }
    close(fd);
    if (s.data && memchr(s.data, '\0', s.size)) {
        munmap((void *)(uintptr_t)s.data, s.size);
        s.data = NULL;
    }
    return s;
}

static void close_source(struct source *s)
{
    if (s->data)
        munmap((void *)(uintptr_t)s->data, s->size);
}

/* The line's first characters, in `text`; lines are asked for in order. */
static bool find_text(struct source *s, uint32_t line, char text[], size_t room)
{
    while (s->line < line && s->at < s->size) {
        const char *const end = memchr(s->data + s->at, '\n', s->size - s->at);
        s->at = end ? (size_t)(end - s->data) + 1 : s->size;
        s->line++;
    }
    if (s->at >= s->size)
        return false;
    const char *const from = s->data + s->at;
    const char *const end = memchr(from, '\n', s->size - s->at);
    size_t size = end ? (size_t)(end - from) : s->size - s->at;
    size = size < room ? size : room - 1;
    memcpy(text, from, size);
    text[size] = '\0';
    return true;
}

/* Lines that cannot be read are not quoted. */
static void read_lines(struct page *p, struct quoted *q)
{
    char text[WIDEST * 4 + 1];
    struct source s = { .data = NULL };
    size_t count = 0;
    for (size_t i = 0; i < q->count; i++) {
        struct quoted_line l = q->line[i];
        if (i == 0 || l.file != q->line[i - 1].file) {
            close_source(&s);
            s = open_source(path_of(q->file[l.file]));
        }
        if (!s.data || !find_text(&s, l.line, text, sizeof text))
            continue;
        l.text = plumb_base_arena_copy(p->arena, text, strlen(text) + 1);
        p->out->broken |= !l.text;
        q->line[count] = l;
        count += l.text != NULL;
    }
    close_source(&s);
    q->count = count;
}

struct quoted quoted_find(struct page *p, size_t steps)
{
    struct quoted q = { .count = 0 };
    const size_t most =
        p->sources != SOURCES_NONE ? steps * (2 * AROUND + 1) : 0;
    q.line = plumb_base_arena_zeroed(p->arena, (most + 1) * sizeof *q.line);
    q.file = plumb_base_arena_zeroed(p->arena, MOST_FILES * sizeof *q.file);
    if (!q.line || !q.file) {
        p->out->broken = true;
        return q;
    }
    for (size_t i = 0; i < steps && most; i++) {
        const struct finding_place *const at = &p->f->step[i].place;
        const uint32_t file =
            at->line && path_of(at)[0] ? add_file(p, &q, at) : FINDING_NONE;
        for (uint32_t k = 0; file != FINDING_NONE && k <= 2 * AROUND; k++)
            if (at->line + k > AROUND)
                q.line[q.count++] = (struct quoted_line){
                    .file = file,
                    .line = at->line + k - AROUND,
                    .first = k == AROUND ? (uint32_t)i : FINDING_NONE,
                };
    }
    sort_lines(&q);
    read_lines(p, &q);
    return q;
}

/* ---- writing ---- */

/* Which threads are at a line: "P1 P2". */
static void put_threads(struct page *p, const struct quoted *q,
                        const struct quoted_line *l)
{
    const struct finding *const f = p->f;
    uint32_t last = FINDING_NONE;
    for (size_t i = l->first; i < f->steps; i++) {
        const struct finding_step *const s = f->step + i;
        if (s->place.line != l->line || s->thread == FINDING_NONE ||
            s->thread == last || find_file(q, &s->place) != l->file)
            continue;
        page_put(p, last == FINDING_NONE ? "" : " ");
        publish_escape_some(f->thread[s->thread], 20, p->out);
        if (last != FINDING_NONE)
            return;
        last = s->thread;
    }
}

static void put_line(struct page *p, const struct quoted *q, size_t i)
{
    const struct quoted_line *const l = q->line + i;
    const bool is_step = l->first != FINDING_NONE;
    page_put(p, is_step ? "<tr class=\"at\"" : "<tr");
    page_id(p, "q", i);
    page_put(p, "><td class=\"number\">");
    page_number(p, l->line);
    page_put(p, "<td class=\"who\">");
    if (is_step)
        put_threads(p, q, l);
    page_put(p, "<td class=\"code\">");
    publish_escape_some(l->text, WIDEST, p->out);
    page_put(p, "\n");
}

/* Lines [from, to), all of one file. */
static void put_file(struct page *p, const struct quoted *q, size_t from,
                     size_t to)
{
    const struct finding_place *const at = q->file[q->line[from].file];
    page_put(p, "<h4>");
    page_text(p, publish_path(at->name, at->absolute));
    page_put(p, "</h4>\n<table class=\"code\">\n");
    for (size_t i = from; i < to; i++) {
        if (i > from && q->line[i].line != q->line[i - 1].line + 1)
            page_put(p, "<tr class=\"gap\"><td class=\"number\">⋮<td><td>\n");
        put_line(p, q, i);
    }
    page_put(p, "</table>\n");
}

void quoted_write(struct page *p, const struct quoted *q)
{
    if (!q->count)
        return;
    page_put(p, "<section class=\"sources\"><h3>Lines of code</h3>\n"
                "<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
                "aria-label=\"Lines of code\">\n");
    for (size_t from = 0, to; from < q->count; from = to) {
        for (to = from;
             to < q->count && q->line[to].file == q->line[from].file;)
            to++;
        put_file(p, q, from, to);
    }
    page_put(p, "</div></section>\n");
}
