/* annotations.c - lines that GitHub shows beside the code.
 *
 *     ::error file=queue.c,line=44,title=not linearizable::queue.c: ...
 *
 * Only what is not a pass gets one. */
#include "writers.h"

#include "markup.h"
#include <string.h>

/* What ends a message, and in a property what ends that. */
static void add_text(const char *text, bool property,
                     struct plumb_base_text *out)
{
    for (; *text; text++)
        if (*text == '%' || *text == '\r' || *text == '\n' ||
            (property && strchr(":,", *text)))
            plumb_base_text_printf(out, "%%%02X", (unsigned char)*text);
        else
            plumb_base_text_bytes(out, text, 1);
}

static void add_annotation(const struct finding *f, struct plumb_base_text *out)
{
    struct finding_place room;
    const struct finding_place *const at = finding_where(f, &room);
    struct plumb_base_text text = { .budget = out->budget };
    plumb_base_text_add(out, f->outcome == PLUMB_SAYS_UNDECIDED ? "::warning "
                                                                : "::error ");
    if (at) {
        plumb_base_text_add(out, "file=");
        add_text(publish_path(at->name, at->absolute), true, out);
        if (at->line)
            plumb_base_text_printf(out, ",line=%u", at->line);
        plumb_base_text_add(out, ",");
    }
    plumb_base_text_add(out, "title=");
    add_text(f->verdict, true, out);
    plumb_base_text_add(out, "::");
    finding_describe(f, false, &text);
    if (text.size && text.data[text.size - 1] == '\n')
        text.data[--text.size] = '\0';
    add_text(plumb_base_text_string(&text), false, out);
    plumb_base_text_add(out, "\n");
    out->broken |= text.broken;
    plumb_base_text_release(&text);
}

void publish_write_annotations(const struct finding *f, size_t count,
                               struct plumb_base_text *out)
{
    for (size_t i = 0; i < count; i++)
        if (f[i].outcome != PLUMB_SAYS_PASS)
            add_annotation(f + i, out);
}
