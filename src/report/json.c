/* json.c - writing JSON, and what every line begins with. */
#include "json.h"

#include "base/utf8.h"
#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* ---- writing JSON ---- */

static void separate(struct plumb_base_text *out)
{
    if (out->size && !strchr("{[:", out->data[out->size - 1]))
        plumb_base_text_add(out, ",");
}

static void add_char(const char *text, size_t bytes, uint32_t c,
                     struct plumb_base_text *out)
{
    if (c == '"' || c == '\\')
        plumb_base_text_printf(out, "\\%c", (char)c);
    else if (c == '\n')
        plumb_base_text_add(out, "\\n");
    else if (c == '\t')
        plumb_base_text_add(out, "\\t");
    else if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029)
        plumb_base_text_printf(out, "\\u%04" PRIx32, c);
    else
        plumb_base_text_bytes(out, text, bytes);
}

void plumb_report_json_string(const char *text, size_t size,
                              struct plumb_base_text *out)
{
    plumb_base_text_add(out, "\"");
    for (size_t i = 0; i < size;) {
        uint32_t c;
        const size_t bytes = plumb_base_utf8_next(text + i, size - i, &c);
        if (bytes)
            add_char(text + i, bytes, c, out);
        else
            plumb_base_text_add(out, "\\ufffd");
        i += bytes ? bytes : 1;
    }
    plumb_base_text_add(out, "\"");
}

void plumb_report_json_open(char bracket, struct plumb_base_text *out)
{
    assert(bracket == '{' || bracket == '[');
    separate(out);
    plumb_base_text_fill(out, bracket, 1);
}

void plumb_report_json_key(const char *name, struct plumb_base_text *out)
{
    separate(out);
    plumb_base_text_printf(out, "\"%s\":", name);
}

void plumb_report_json_begin(const char *key, char bracket,
                             struct plumb_base_text *out)
{
    plumb_report_json_key(key, out);
    plumb_base_text_fill(out, bracket, 1);
}

void plumb_report_json_text(const char *key, const char *text,
                            struct plumb_base_text *out)
{
    plumb_report_json_key(key, out);
    if (text)
        plumb_report_json_string(text, strlen(text), out);
    else
        plumb_base_text_add(out, "null");
}

void plumb_report_json_number(const char *key, uint64_t n,
                              struct plumb_base_text *out)
{
    plumb_report_json_key(key, out);
    plumb_base_text_printf(out, "%" PRIu64, n);
}

void plumb_report_json_bool(const char *key, bool value,
                            struct plumb_base_text *out)
{
    plumb_report_json_key(key, out);
    plumb_base_text_add(out, value ? "true" : "false");
}

void plumb_report_json_begin_line(const struct plumb_report_json_head *head,
                                  struct plumb_base_text *out)
{
    plumb_base_text_add(out, "{");
    plumb_report_json_number("format", PLUMB_JSON_FORMAT, out);
    plumb_report_json_text("command", head->command, out);
    plumb_report_json_text("subject", head->subject, out);
    if (!head->given)
        return;
    plumb_report_json_begin("file", '{', out);
    plumb_report_json_text("given", head->given, out);
    plumb_report_json_text("absolute", head->absolute, out);
    plumb_base_text_add(out, "}");
}

void plumb_report_json_verdict(const char *verdict,
                               enum plumb_report_outcome outcome,
                               struct plumb_base_text *out)
{
    static const char *const name[] = { "pass", "violation", "undecided",
                                        "error" };
    plumb_report_json_text("verdict", verdict, out);
    plumb_report_json_text("status", name[outcome], out);
}
