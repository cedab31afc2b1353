/* bar_label.c - an operation in a few characters, and in full. */
#include "bar_label.h"

#include "app/publish/markup.h"
#include <inttypes.h>
#include <string.h>

enum { MOST = 26, KIND = 24 }; /* characters */

/* The whole label, not escaped; "= ok" says nothing. */
static void write_plain(const struct finding_operation *o,
                        struct plumb_base_text *out)
{
    plumb_base_text_printf(out, "%s%s%s", o->letter, o->letter[0] ? " " : "",
                           o->name);
    if (o->answer[0] && strcmp(o->answer, "ok") != 0)
        plumb_base_text_printf(out, "=%s", o->answer);
}

void bar_label_write(const struct finding_operation *o,
                     struct plumb_base_text *out)
{
    struct plumb_base_text plain = { .budget = out->budget };
    write_plain(o, &plain);
    publish_escape_some(plumb_base_text_string(&plain), MOST, out);
    plumb_base_text_release(&plain);
}

/* 12 pixels of a monospaced font are about 7.25 wide; what is not Latin may
 * take twice as much. */
static uint32_t width_of(const char *text, unsigned most)
{
    uint32_t width = 0;
    for (unsigned n = 0; *text && n < most + 1; text++) {
        const unsigned char c = (unsigned char)*text;
        if ((c & 0xc0) == 0x80)
            continue;
        n++;
        width += c < 0x20 || c == 0x7f ? 44 : c < 0xe1 ? 29 : 58;
    }
    return width / 4 + 1;
}

uint32_t bar_label_width(const struct finding_operation *o)
{
    struct plumb_base_text plain = { 0 };
    write_plain(o, &plain);
    const uint32_t width = width_of(plumb_base_text_string(&plain), MOST);
    plumb_base_text_release(&plain);
    return width;
}

uint32_t bar_label_name_width(const char *name, unsigned most)
{
    return width_of(name, most);
}

void bar_label_kind(const struct finding_operation *o,
                    struct plumb_base_text *out)
{
    char kind[KIND * 4 + 1];
    size_t size = strcspn(o->name, "(");
    if (size >= sizeof kind)
        size = sizeof kind - 1;
    memcpy(kind, o->name, size);
    kind[size] = '\0';
    publish_escape_some(kind, KIND, out);
}

void bar_label_operation(const struct finding_operation *o,
                         struct plumb_base_text *out)
{
    publish_escape_some(o->name, BAR_LABEL_LONGEST, out);
    if (o->answer[0]) {
        plumb_base_text_add(out, " = ");
        publish_escape_some(o->answer, BAR_LABEL_LONGEST, out);
    } else {
        plumb_base_text_add(out, ", no answer");
    }
}

void bar_label_describe(const struct finding *f,
                        const struct finding_operation *o,
                        struct plumb_base_text *out)
{
    if (o->letter[0]) {
        publish_escape_some(o->letter, 8, out);
        plumb_base_text_add(out, ": ");
    }
    bar_label_operation(o, out);
    plumb_base_text_add(out, " by ");
    publish_escape_some(f->thread[o->thread], BAR_LABEL_LONGEST, out);
    if (o->key[0]) {
        plumb_base_text_add(out, " on ");
        publish_escape_some(o->key, BAR_LABEL_LONGEST, out);
    }
    plumb_base_text_printf(out, "; event %" PRIu32, o->call + 1);
    if (o->ret != FINDING_NONE)
        plumb_base_text_printf(out, " to %" PRIu32, o->ret + 1);
    if (o->from != FINDING_NO_TIME) {
        plumb_base_text_printf(out, "; time %" PRIu64, o->from);
        if (o->to != FINDING_NO_TIME)
            plumb_base_text_printf(out, " to %" PRIu64, o->to);
    }
    if (o->line && f->file.name[0]) {
        plumb_base_text_add(out, "; ");
        publish_escape_some(f->file.name, BAR_LABEL_LONGEST, out);
        plumb_base_text_printf(out, ":%u", o->line);
    }
    if (o->forgotten)
        plumb_base_text_add(out, "; its answer does not matter");
}
