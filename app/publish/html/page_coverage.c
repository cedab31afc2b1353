/* page_coverage.c - which lines of the code ran, and which of them while
 * another operation was open. */
#include "page.h"
#include "quoted.h"
#include <string.h>

enum { ALONE, CONCURRENT };

static bool same_line(const struct finding_place *a,
                      const struct finding_place *b)
{
    return a->line == b->line && strcmp(a->absolute, b->absolute) == 0 &&
           strcmp(a->name, b->name) == 0;
}

/* Of events on the same line one that was concurrent counts. */
static bool counts(const struct finding *f, size_t i)
{
    for (size_t k = 0; k < f->covereds; k++)
        if (k != i && same_line(&f->covered[k].place, &f->covered[i].place) &&
            (f->covered[k].concurrent > f->covered[i].concurrent ||
             (f->covered[k].concurrent == f->covered[i].concurrent && k < i)))
            return false;
    return true;
}

/* Lines that ran as steps of two threads, of which one is called "alone". */
static bool make_steps(struct page *p, struct finding *lines, size_t *alone)
{
    static const char *const how[] = { "alone", "concurrently" };
    const struct finding *const f = p->f;
    struct finding_step *const step =
        plumb_base_arena_zeroed(p->arena, (f->covereds + 1) * sizeof *step);
    size_t count = 0;
    if (!step)
        return false;
    *alone = 0;
    for (size_t i = 0; i < f->covereds; i++) {
        if (!counts(f, i))
            continue;
        const bool concurrent = f->covered[i].concurrent;
        *alone += !concurrent;
        step[count++] =
            (struct finding_step){ .thread = concurrent ? CONCURRENT : ALONE,
                                   .place = f->covered[i].place };
    }
    *lines = (struct finding){
        .thread = how, .threads = 2, .step = step, .steps = count
    };
    return true;
}

void page_write_coverage(struct page *p)
{
    const struct finding *const f = p->f;
    struct finding lines;
    size_t alone;
    if (!f->covereds)
        return;
    if (!make_steps(p, &lines, &alone)) {
        p->out->broken = true;
        return;
    }
    page_put(p, "<h3>Lines that ran</h3>\n<p>");
    page_number(p, lines.steps);
    page_put(p, " lines with accesses to memory ran, ");
    page_number(p, lines.steps - alone);
    page_put(p, " of them while another operation was open. Other schedules "
                "cannot matter to a line that only ever ran alone: a test "
                "that overlaps it with something is missing. Lines that are "
                "not marked did not run, or access no memory that threads "
                "share.</p>\n");
    p->f = &lines;
    const struct quoted q = quoted_find(p, lines.steps);
    quoted_write(p, &q);
    p->f = f;
}
