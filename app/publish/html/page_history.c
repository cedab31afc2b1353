/* page_history.c - of a history: its timeline, the order that was tried, and
 * how concurrent it was. */
#include "app/publish/markup.h"
#include "bar_label.h"
#include "page.h"
#include "picture.h"
#include <string.h>

/* ---- filters ---- */

enum { MOST_CHOICES = 60 };

static const char *thread_of(const struct page *p, size_t i)
{
    return p->f->thread[p->f->operation[i].thread];
}

static const char *key_of(const struct page *p, size_t i)
{
    return p->f->operation[i].key;
}

static bool same_kind(const char *a, const char *b)
{
    const size_t size = strcspn(a, "(");
    return strncmp(a, b, size) == 0 && b[size] == a[size];
}

static const char *name_of(const struct page *p, size_t i)
{
    return p->f->operation[i].name;
}

static bool same_text(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

struct filter {
    const char *name, *all;
    const char *(*of)(const struct page *p, size_t i);
    bool (*same)(const char *a, const char *b);
};

/* The operations whose words differ; at most MOST_CHOICES + 1. */
static size_t find_choices(const struct page *p, const struct filter *w,
                           size_t drawn, size_t choice[])
{
    size_t count = 0;
    for (size_t i = 0; i < drawn && count <= MOST_CHOICES; i++) {
        size_t k = 0;
        while (k < count && !w->same(w->of(p, choice[k]), w->of(p, i)))
            k++;
        if (k == count)
            choice[count++] = i;
    }
    return count;
}

/* Nothing if there is nothing to choose, or too much. */
static void put_filter(struct page *p, const struct filter *w, size_t drawn)
{
    size_t choice[MOST_CHOICES + 1];
    const size_t count = find_choices(p, w, drawn, choice);
    if (count < 2 || count > MOST_CHOICES)
        return;
    plumb_base_text_printf(p->out,
                           "<label>%s <select data-filter=\"%s\">"
                           "<option value=\"\" selected>all</option>",
                           w->all, w->name);
    for (size_t i = 0; i < count; i++) {
        page_put(p, "<option>");
        if (w->of == name_of)
            bar_label_kind(p->f->operation + choice[i], p->out);
        else
            publish_escape_some(w->of(p, choice[i]), 20, p->out);
        page_put(p, "</option>");
    }
    page_put(p, "</select></label>\n");
}

static void put_filters(struct page *p, size_t drawn, bool timed)
{
    static const struct filter filters[] = {
        { "thread", "Thread", thread_of, same_text },
        { "name", "Operation", name_of, same_kind },
        { "key", "Object", key_of, same_text },
    };
    page_put(p, "<div class=\"tools filters\">\n");
    if (timed)
        page_put(p, "<label>Axis <select data-axis><option value=\"order\" "
                    "selected>order of events</option><option value=\"time\">"
                    "time</option></select></label>\n");
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
        put_filter(p, filters + i, drawn);
    bool core = false;
    for (size_t i = 0; i < drawn; i++)
        core |= p->f->operation[i].letter[0] != '\0';
    if (core)
        page_put(p, "<label><input type=\"checkbox\" data-filter=\"core\"> "
                    "only the core</label>\n");
    page_put(p, "</div>\n");
}

/* ---- the timeline ---- */

static void put_picture(struct page *p, const struct picture *t,
                        unsigned number, const char *label)
{
    if (t->broken) {
        p->out->broken = true;
        return;
    }
    plumb_base_text_printf(p->out,
                           "<div class=\"scroll\" tabindex=\"0\" role=\"group\""
                           " aria-label=\"%s\"><figure class=\"timeline\">\n",
                           label);
    picture_draw_names(t, p->out);
    picture_draw_bars(t, number, p->out);
    page_put(p, "</figure></div>\n");
}

static void put_legend(struct page *p, const struct picture *t)
{
    page_put(p, "<p class=\"note\">A bar reaches from the call of an operation "
                "to its return; an arrow means that no return is known. Events "
                "are shown in their order");
    if (t->timed) {
        page_put(p, ", or, with JavaScript, by time, which the file counts in "
                    "units of its own: ");
        page_number(p, t->last - t->first);
        page_put(p, " from the left to the right. What is decided depends on "
                    "the order alone.</p>\n");
    } else {
        page_put(p, ", not by time.</p>\n");
    }
}

/* The violation by itself; how many operations that are. */
static size_t put_core(struct page *p, struct picture *drawn)
{
    struct finding core;
    if (!picture_core(p->f, p->arena, &core)) {
        p->out->broken = true;
        return 0;
    }
    if (!core.operations)
        return 0;
    page_put(p, "<h3>The violation</h3>\n<p class=\"note\">");
    page_put(p, core.operations == 1 ? "This operation alone is"
                                     : "These operations alone are");
    page_put(p, " a violation, whatever else happened.</p>\n");
    const struct picture t = *drawn = picture_lay_out(&core, p->arena);
    put_picture(p, &t, core.operations == p->f->operations ? p->number : 0,
                "The violation");
    return core.operations;
}

static void put_share(struct page *p, size_t drawn, bool core)
{
    if (p->f->operations_in_all <= drawn)
        return;
    page_put(p, "<p class=\"note\"><strong>");
    page_number(p, drawn);
    page_put(p, " of ");
    page_number(p, p->f->operations_in_all);
    page_put(p, core ? " operations are shown, those around the violation."
                     : " operations are shown.");
    page_put(p, "</strong></p>\n");
}

void page_write_timeline(struct page *p)
{
    if (!p->f->operations)
        return;
    struct picture t = { .timed = false };
    const size_t core = put_core(p, &t);
    if (core < p->f->operations) {
        t = picture_lay_out(p->f, p->arena);
        page_put(p, "<h3>Timeline</h3>\n");
        put_legend(p, &t);
        put_share(p, t.count, core);
        put_filters(p, t.count, t.timed);
        put_picture(p, &t, p->number, "Timeline");
    } else {
        put_legend(p, &t);
        if (t.timed)
            put_filters(p, t.count, true);
    }
    page_put(p, "<p class=\"tools about note\" aria-live=\"polite\">Choose an "
                "operation for its details.</p>\n");
}

/* ---- the order ---- */

static void put_operation_of(struct page *p, uint32_t at)
{
    const struct finding_operation *const o = p->f->operation + at;
    page_put(p, "<td class=\"key\">");
    page_text(p, o->letter);
    page_put(p, "<td>");
    page_text(p, p->f->thread[o->thread]);
    page_put(p, "<td class=\"mono\">");
    bar_label_operation(o, p->out);
}

static void put_orders(struct page *p)
{
    const struct finding *const f = p->f;
    page_put(p, "<tr");
    page_id(p, "at", 0);
    page_put(p, "><td class=\"number\">0<td><td><td class=\"note\">at first"
                "<td class=\"state\">");
    publish_escape_some(f->initial, BAR_LABEL_LONGEST, p->out);
    page_put(p, "\n");
    for (size_t i = 0; i < f->orders; i++) {
        page_put(p, "<tr");
        page_id(p, "at", i + 1);
        plumb_base_text_printf(p->out, " data-o=\"%u\"><td class=\"number\">",
                               f->order[i].operation);
        page_number(p, i + 1);
        put_operation_of(p, f->order[i].operation);
        page_put(p, "<td class=\"state\">");
        publish_escape_some(f->order[i].state, BAR_LABEL_LONGEST, p->out);
        page_put(p, "\n");
    }
}

static void put_refusals(struct page *p)
{
    const struct finding *const f = p->f;
    for (size_t i = 0; i < f->refusals; i++) {
        const struct finding_refusal *const r = f->refusal + i;
        page_put(p, "<tr class=\"refused\"");
        page_id(p, "stuck", i);
        plumb_base_text_printf(p->out, " data-o=\"%u\"><td class=\"number\">✗",
                               r->operation);
        put_operation_of(p, r->operation);
        page_put(p, "<td>");
        if (r->allowed[0]) {
            page_put(p, "may only return ");
            page_text(p, r->allowed);
            page_put(p, " here, and returned ");
        } else {
            page_put(p, "cannot return here; it returned ");
        }
        page_text(p, r->returned);
        page_put(p, "\n");
    }
}

static void put_slider(struct page *p)
{
    const size_t most = p->f->orders + (p->f->refusals ? 1 : 0);
    page_put(p, "<div class=\"tools slider\">"
                "<button type=\"button\" data-move=\"-1\">Back</button>"
                "<input type=\"range\" min=\"0\" max=\"");
    page_number(p, most);
    page_put(p, "\" value=\"");
    page_number(p, most);
    page_put(p, "\" aria-label=\"Position in the order\">"
                "<button type=\"button\" data-move=\"1\">Further</button>");
    if (p->f->refusals)
        page_put(p, "<button type=\"button\" data-move=\"end\">To where it is "
                    "stuck</button>");
    page_put(p, "<output></output></div>\n");
}

void page_write_attempt(struct page *p)
{
    const struct finding *const f = p->f;
    if (!f->orders && !f->refusals)
        return;
    const bool stuck = f->refusals > 0;
    page_put(p, stuck ? "<h3>The attempt to put them in order</h3>\n"
                      : "<h3>An order that explains every result</h3>\n");
    page_put(p,
             stuck ? "<p class=\"note\">A longest order that the specification "
                     "allows, with the state of the object after each "
                     "operation. Every operation that could come next has to "
                     "return something else than it did.</p>\n"
                   : "<p class=\"note\">Each operation takes effect at one "
                     "instant between its call and its return; the state of "
                     "the object is that after the operation.</p>\n");
    put_slider(p);
    page_put(p, "<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
                "aria-label=\"The order\"><table class=\"order\">\n<tr><th>#"
                "<th><th>Thread<th>Operation<th>State after it\n");
    put_orders(p);
    put_refusals(p);
    page_put(p, "</table></div>\n");
}

/* ---- how concurrent ---- */

struct concurrency {
    uint32_t most; /* open at once */
    size_t alone;  /* operations that overlap no other */
};

static bool overlap(const struct finding_operation *a,
                    const struct finding_operation *b)
{
    return a->call < b->ret && b->call < a->ret;
}

/* By definition; there are at most PICTURE_OPERATIONS. */
static struct concurrency measure(const struct finding *f, size_t count)
{
    struct concurrency c = { .most = 0 };
    for (size_t i = 0; i < count; i++) {
        uint32_t open = 0;
        bool alone = true;
        for (size_t k = 0; k < count; k++) {
            const struct finding_operation *const o = f->operation + k;
            open += o->call <= f->operation[i].call &&
                    f->operation[i].call < o->ret;
            alone &= k == i || !overlap(f->operation + i, o);
        }
        c.alone += alone;
        c.most = c.most < open ? open : c.most;
    }
    return c;
}

void page_write_concurrency(struct page *p)
{
    const struct finding *const f = p->f;
    const size_t count =
        f->operations < PICTURE_OPERATIONS ? f->operations : PICTURE_OPERATIONS;
    if (f->outcome != PLUMB_SAYS_PASS || !count)
        return;
    const struct concurrency c = measure(f, count);
    page_put(p, "<h3>How concurrent it was</h3>\n<p>Of ");
    page_number(p, count);
    page_put(p, " operations ");
    page_number(p, count - c.alone);
    page_put(p, " overlapped another one; at most ");
    page_number(p, c.most);
    page_put(p, c.most == 1 ? " was" : " were");
    page_put(p, " open at once.");
    if (c.most < 2)
        page_put(p, " Nothing ran concurrently, so this history can only show "
                    "sequential mistakes.");
    page_put(p, "</p>\n");
}
