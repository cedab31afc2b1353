/* markup.c - text for XML and HTML, and names of files for programs. */
#include "markup.h"

#include "base/utf8.h"
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

/* Direction, joining and other things that are not seen; and what XML does not
 * allow. */
static bool is_unseen(uint32_t c)
{
    return (c < 0x20 && c != '\t' && c != '\n') || (c >= 0x7f && c < 0xa0) ||
           c == 0xad || c == 0x61c || (c >= 0x200b && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) ||
           c == 0xfeff || (c >= 0xfff0 && c <= 0xfffb) ||
           (c & 0xfffe) == 0xfffe || (c >= 0xe0000 && c <= 0xe0fff);
}

static void escape_one(const char *at, size_t bytes, uint32_t c,
                       struct plumb_base_text *out)
{
    if (!bytes)
        plumb_base_text_add(out, "\xef\xbf\xbd");
    else if (is_unseen(c))
        plumb_base_text_printf(out, "\\u{%" PRIx32 "}", c);
    else if (c == '\'')
        plumb_base_text_add(out, "&#39;");
    else
        plumb_base_text_xml(out, at, bytes);
}

void publish_escape_some(const char *text, unsigned characters,
                         struct plumb_base_text *out)
{
    const size_t size = strlen(text);
    size_t i = 0;
    for (; i < size && characters > 0; characters--) {
        uint32_t c;
        const size_t bytes = plumb_base_utf8_next(text + i, size - i, &c);
        escape_one(text + i, bytes, c, out);
        i += bytes ? bytes : 1;
    }
    plumb_base_text_add(out, i < size ? "…" : "");
}

void publish_escape(const char *text, struct plumb_base_text *out)
{
    publish_escape_some(text, UINT_MAX, out);
}

/* ---- files ---- */

const char *publish_path(const char *name, const char *absolute)
{
    char here[PATH_MAX];
    if (!absolute[0])
        return name;
    if (!getcwd(here, sizeof here))
        return absolute;
    const size_t length = strlen(here);
    return strncmp(absolute, here, length) == 0 && absolute[length] == '/'
               ? absolute + length + 1
               : absolute;
}

void publish_quote(const char *word, struct plumb_base_text *out)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./:=@%+,-";
    if (*word && word[strspn(word, plain)] == '\0') {
        plumb_base_text_add(out, word);
        return;
    }
    plumb_base_text_add(out, "'");
    for (; *word; word++)
        if (*word == '\'')
            plumb_base_text_add(out, "'\\''");
        else
            plumb_base_text_bytes(out, word, 1);
    plumb_base_text_add(out, "'");
}

void publish_uri(const char *path, struct plumb_base_text *out)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    if (path[0] == '/')
        plumb_base_text_add(out, "file://");
    for (; *path; path++)
        if (strchr(plain, *path))
            plumb_base_text_bytes(out, path, 1);
        else
            plumb_base_text_printf(out, "%%%02X", (unsigned char)*path);
}
