/* page.c - a report as one HTML file: the page around its findings. */
#include "page.h"

#include "app/publish/markup.h"
#include "asset.h"
#include <inttypes.h>
#include <string.h>

enum {
    MOST_BYTES = 1900 * 1024, /* of the page, about */
    MOST_ROWS = 2000          /* of the list of results */
};

void page_put(struct page *p, const char *markup)
{
    plumb_base_text_add(p->out, markup);
}

void page_text(struct page *p, const char *text)
{
    publish_escape_some(text, PAGE_LONGEST, p->out);
}

void page_number(struct page *p, uint64_t number)
{
    plumb_base_text_printf(p->out, "%" PRIu64, number);
}

void page_id(struct page *p, const char *name, size_t index)
{
    plumb_base_text_printf(p->out, " id=\"f%u-%s%zu\"", p->number, name, index);
}

/* ---- the head ---- */

/* What the policy of the page allows: "'sha256-...'". */
static void put_hash(struct page *p, const struct publish_asset *a)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "abcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[45];
    for (size_t i = 0, n = 0; i < 33; i += 3) {
        const unsigned last = i + 2 < 32 ? a->sha256[i + 2] : 0;
        const unsigned bits = (unsigned)a->sha256[i] << 16 |
                              (unsigned)a->sha256[i + 1] << 8 | last;
        text[n++] = digit[bits >> 18];
        text[n++] = digit[bits >> 12 & 63];
        text[n++] = digit[bits >> 6 & 63];
        text[n++] = digit[bits & 63];
    }
    text[43] = '=';
    text[44] = '\0';
    plumb_base_text_printf(p->out, "'sha256-%s'", text);
}

static void put_asset(struct page *p, const struct publish_asset *a)
{
    plumb_base_text_bytes(p->out, a->data, a->size);
}

static void put_head(struct page *p, const struct finding *f, size_t count)
{
    page_put(p, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
                "<meta charset=\"utf-8\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" "
                "content=\"default-src 'none'; script-src ");
    put_hash(p, &publish_script);
    page_put(p, "; style-src ");
    put_hash(p, &publish_style);
    page_put(p, "; base-uri 'none'; form-action 'none'\">\n"
                "<meta name=\"viewport\" "
                "content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=\"generator\" content=\"plumb " PLUMB_VERSION
                "\">\n<title>");
    if (count == 1) {
        publish_escape_some(f->verdict, 80, p->out);
        page_put(p, ": ");
        publish_escape_some(f->subject, 80, p->out);
    } else {
        page_put(p, "plumb: ");
        page_number(p, count);
        page_put(p, " results");
    }
    page_put(p, "</title>\n<style>");
    put_asset(p, &publish_style);
    page_put(p, "</style>\n</head>\n<body>\n<header><h1>Plumbline");
    if (count) {
        page_put(p, ": plumb ");
        page_text(p, f->command);
    }
    page_put(p, "</h1><span class=\"spring\"></span>"
                "<span class=\"tools\"><button type=\"button\" id=\"theme\">"
                "Light or dark</button></span></header>\n<main>\n");
}

static void put_foot(struct page *p)
{
    page_put(
        p,
        "</main>\n<footer>\n<details class=\"tools\" id=\"keys\"><summary>Keys"
        "</summary>\n<table>\n"
        "<tr><td><kbd>j</kbd> <kbd>k</kbd><td>next and previous operation, or "
        "step\n"
        "<tr><td><kbd>l</kbd> <kbd>h</kbd><td>one operation further in the "
        "order, and back\n"
        "<tr><td><kbd>n</kbd> <kbd>p</kbd><td>next and previous result\n"
        "<tr><td><kbd>f</kbd><td>to the filters\n"
        "<tr><td><kbd>t</kbd><td>order of events or time, if there are times\n"
        "<tr><td><kbd>c</kbd><td>copy the command\n"
        "<tr><td><kbd>d</kbd><td>light or dark\n"
        "<tr><td><kbd>Escape</kbd><td>choose nothing\n"
        "<tr><td><kbd>?</kbd><td>this list\n</table></details>\n"
        "<p>Written by plumb " PLUMB_VERSION
        ". This file loads nothing and sends nothing.</p>\n"
        "</footer>\n<script>");
    put_asset(p, &publish_script);
    page_put(p, "</script>\n</body>\n</html>\n");
}

/* ---- findings ---- */

static const char *class_of(const struct finding *f)
{
    static const char *const names[] = {
        [PLUMB_SAYS_PASS] = "pass",
        [PLUMB_SAYS_VIOLATION] = "violation",
        [PLUMB_SAYS_UNDECIDED] = "undecided",
        [PLUMB_SAYS_ERROR] = "error",
    };
    return names[f->outcome];
}

static void put_sentences(struct page *p)
{
    const struct finding *const f = p->f;
    if (f->reason[0]) {
        page_put(p, "<p>");
        page_text(p, f->reason);
        page_put(p, "</p>\n");
    }
    if (!f->sentences)
        return;
    page_put(p, "<ul class=\"why\">\n");
    for (size_t i = 0; i < f->sentences; i++) {
        page_put(p, "<li>");
        page_text(p, f->sentence[i]);
        page_put(p, "</li>\n");
    }
    page_put(p, "</ul>\n");
}

static void put_command(struct page *p)
{
    if (!p->f->replay[0])
        return;
    page_put(p, p->f->scheduled ? "<p class=\"note\">Run this schedule again:"
                                  "</p>\n"
                                : "<p class=\"note\">Run it again:</p>\n");
    page_put(p, "<div class=\"command\"><code");
    page_id(p, "command", 0);
    page_put(p, ">");
    page_text(p, p->f->replay);
    page_put(p, "</code><span class=\"tools\"><button type=\"button\" "
                "class=\"copy\">Copy</button></span></div>\n");
}

static void put_finding(struct page *p)
{
    const struct finding *const f = p->f;
    plumb_base_text_printf(p->out,
                           "<section class=\"finding %s\" id=\"f%u\">\n"
                           "<h2><span class=\"verdict\">",
                           class_of(f), p->number);
    page_text(p, f->verdict);
    page_put(p, "</span>: ");
    page_text(p, f->subject);
    page_put(p, "</h2>\n");
    if (f->title != f->subject) {
        page_put(p, "<p><code>");
        page_text(p, f->title);
        page_put(p, "</code></p>\n");
    }
    put_sentences(p);
    put_command(p);
    page_write_timeline(p);
    page_write_attempt(p);
    page_write_steps(p);
    page_write_graph(p);
    page_write_concurrency(p);
    page_write_meaning(p);
    page_write_coverage(p);
    page_write_facts(p);
    page_put(p, "</section>\n");
}

static void put_list(struct page *p, const struct finding *f, size_t count)
{
    page_put(p, "<nav><table class=\"results\">\n"
                "<tr><th>Verdict<th>Subject<th>\n");
    for (size_t i = 0; i < count && i < MOST_ROWS; i++) {
        plumb_base_text_printf(
            p->out, "<tr class=\"%s\"><td class=\"verdict\">", class_of(f + i));
        publish_escape_some(f[i].verdict, 60, p->out);
        plumb_base_text_printf(p->out, "<td><a href=\"#f%zu\">", i + 1);
        publish_escape_some(f[i].subject, 120, p->out);
        page_put(p, "</a><td>");
        if (f[i].title != f[i].subject)
            publish_escape_some(f[i].title, 120, p->out);
        page_put(p, "\n");
    }
    page_put(p, "</table></nav>\n");
    if (count > MOST_ROWS) {
        page_put(p, "<p class=\"note\">");
        page_number(p, count - MOST_ROWS);
        page_put(p, " more results are not listed.</p>\n");
    }
}

/* False if the page would be too large. */
static bool put_if_it_fits(struct page *p)
{
    struct plumb_base_text *const all = p->out;
    struct plumb_base_text one = { .budget = all->budget };
    p->out = &one;
    put_finding(p);
    p->out = all;
    const bool fits = all->size + one.size < MOST_BYTES;
    if (fits)
        plumb_base_text_bytes(all, one.data, one.size);
    all->broken |= one.broken;
    plumb_base_text_release(&one);
    return fits;
}

/* Those that are no pass come first. */
static void put_findings(struct page *p, const struct finding *f, size_t count)
{
    size_t left_out = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < count; i++) {
            if ((f[i].outcome == PLUMB_SAYS_PASS) != (pass == 1))
                continue;
            p->f = f + i;
            p->number = (unsigned)i + 1;
            left_out += left_out || !put_if_it_fits(p);
        }
    if (!left_out)
        return;
    page_put(p, "<p class=\"note\">The details of ");
    page_number(p, left_out);
    page_put(p, left_out == 1 ? " result" : " results");
    page_put(p, " are left out: with them the page would be larger than 2 MB."
                "</p>\n");
}

void publish_write_report(const struct finding *f, size_t count,
                          enum publish_sources sources,
                          struct plumb_base_text *out)
{
    struct plumb_base_arena arena = { .budget = out->budget };
    struct page p = { .out = out, .sources = sources, .arena = &arena };
    put_head(&p, f, count);
    if (count > 1)
        put_list(&p, f, count);
    put_findings(&p, f, count);
    put_foot(&p);
    plumb_base_arena_release(&arena);
}
