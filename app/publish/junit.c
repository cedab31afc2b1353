/* junit.c - results as test cases, for those who read what JUnit writes.
 *
 * A violation is a failure.  What is undecided is an error: it is not a pass,
 * and nothing is known to be wrong. */
#include "writers.h"

#include "markup.h"

static size_t count_of(const struct finding *f, size_t count,
                       enum plumb_report_outcome outcome)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        n += f[i].outcome == outcome;
    return n;
}

static void add_attribute(const char *name, const char *value,
                          struct plumb_base_text *out)
{
    plumb_base_text_printf(out, " %s=\"", name);
    publish_escape(value, out);
    plumb_base_text_add(out, "\"");
}

static void add_trouble(const struct finding *f, struct plumb_base_text *out)
{
    const char *const tag =
        f->outcome == PLUMB_SAYS_VIOLATION ? "failure" : "error";
    struct plumb_base_text text = { .budget = out->budget };
    finding_summary(f, &text);
    plumb_base_text_printf(out, "      <%s", tag);
    add_attribute("message", plumb_base_text_string(&text), out);
    add_attribute("type", f->verdict, out);
    plumb_base_text_add(out, ">");
    plumb_base_text_clear(&text);
    finding_describe(f, true, &text);
    publish_escape(plumb_base_text_string(&text), out);
    plumb_base_text_printf(out, "</%s>\n", tag);
    out->broken |= text.broken;
    plumb_base_text_release(&text);
}

static void add_case(const struct finding *f, struct plumb_base_text *out)
{
    plumb_base_text_add(out, "    <testcase");
    plumb_base_text_add(out, " classname=\"plumb.");
    publish_escape(f->command, out);
    plumb_base_text_add(out, "\"");
    struct plumb_base_text name = { .budget = out->budget };
    plumb_base_text_add(&name, f->subject);
    if (f->title != f->subject)
        plumb_base_text_printf(&name, ": %s", f->title);
    add_attribute("name", plumb_base_text_string(&name), out);
    plumb_base_text_release(&name);
    if (f->file.name[0])
        add_attribute("file", publish_path(f->file.name, f->file.absolute),
                      out);
    if (f->outcome == PLUMB_SAYS_PASS) {
        plumb_base_text_add(out, "/>\n");
        return;
    }
    plumb_base_text_add(out, ">\n");
    add_trouble(f, out);
    plumb_base_text_add(out, "    </testcase>\n");
}

void publish_write_junit(const struct finding *f, size_t count,
                         struct plumb_base_text *out)
{
    const size_t failures = count_of(f, count, PLUMB_SAYS_VIOLATION);
    const size_t errors = count_of(f, count, PLUMB_SAYS_UNDECIDED) +
                          count_of(f, count, PLUMB_SAYS_ERROR);
    plumb_base_text_printf(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuites name=\"plumb\" tests=\"%zu\" failures=\"%zu\" "
        "errors=\"%zu\">\n"
        "  <testsuite name=\"plumb\" tests=\"%zu\" failures=\"%zu\" "
        "errors=\"%zu\" skipped=\"0\">\n",
        count, failures, errors, count, failures, errors);
    for (size_t i = 0; i < count; i++)
        add_case(f + i, out);
    plumb_base_text_add(out, "  </testsuite>\n</testsuites>\n");
}
