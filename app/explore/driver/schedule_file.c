/* schedule_file.c - where schedules are kept: ./.plumb, one file each.
 *
 * The name has a hash of what is in it, so that finding the same again gives
 * the same name; no file is ever written over. */
#include "schedule_file.h"

#include "app/console/input.h"
#include "app/console/say.h"
#include "base/hash.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char directory[] = ".plumb";

enum { MOST_NAMES = 100 };

/* What may be in a file's name: letters, digits, - and _. */
static void plain_label(const char *label, char plain[64])
{
    size_t used = 0;
    for (; *label && used < 63; label++) {
        const char c = *label;
        const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '-' || c == '_';
        plain[used++] = good ? c : '_';
    }
    plain[used] = '\0';
}

static bool says_the_same(const char *path, const struct plumb_base_text *text)
{
    struct plumb_error err;
    struct console_input in;
    if (console_input_open(&in, path, NULL, &err) != PLUMB_OK)
        return false;
    const bool same =
        in.size == text->size && memcmp(in.data, text->data, in.size) == 0;
    console_input_close(&in);
    return same;
}

/* Always false. */
static bool is_not_kept(const char *path)
{
    console_say("%s: cannot save the schedule, so this violation cannot be "
                "replayed: %s",
                path, console_reason());
    return false;
}

/* It is whole, or gone. */
static bool write_new(FILE *file, const char *path,
                      const struct plumb_base_text *text)
{
    const bool fits = fwrite(text->data, 1, text->size, file) == text->size;
    if (fclose(file) == 0 && fits)
        return true;
    is_not_kept(path);
    unlink(path);
    return false;
}

/* The first name that is free, or whose file says the same. */
static bool write_text(const struct plumb_base_text *text, const char *label,
                       char path[PATH_MAX])
{
    char plain[64], suffix[16] = "";
    const uint64_t hash = plumb_base_hash_bytes(text->data, text->size);
    plain_label(label, plain);
    for (unsigned n = 1; n <= MOST_NAMES; n++) {
        if (n > 1)
            snprintf(suffix, sizeof suffix, "-%u", n);
        snprintf(path, PATH_MAX, "%s/%s-%04x%s.schedule", directory, plain,
                 (unsigned)(hash & 0xffff), suffix);
        FILE *const file = fopen(path, "wxe");
        if (file)
            return write_new(file, path, text);
        if (errno != EEXIST)
            return is_not_kept(path);
        if (says_the_same(path, text))
            return true;
    }
    console_say(
        "%s: cannot save the schedule: too many schedules have this name",
        path);
    return false;
}

bool explore_schedule_write(const struct explore_schedule *s, const char *label,
                            char path[PATH_MAX])
{
    struct plumb_base_text text;
    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
        return is_not_kept(directory);
    plumb_base_text_init(&text, NULL);
    explore_schedule_print(s, &text);
    if (text.broken)
        console_say("plumb explore: out of memory; cannot save the schedule");
    const bool done = !text.broken && write_text(&text, label, path);
    plumb_base_text_release(&text);
    return done;
}

bool explore_schedule_read(struct explore_schedule *s, const char *path)
{
    struct plumb_error err = { .message = "out of memory" };
    struct console_input in;
    if (console_input_open(&in, path, NULL, &err) != PLUMB_OK) {
        console_say("%s: %s", path, err.message);
        return false;
    }
    const bool good =
        explore_schedule_parse(s, in.data, in.size, &err) == PLUMB_OK;
    console_input_close(&in);
    if (good)
        return true;
    console_say_error(path, &err);
    explore_schedule_release(s);
    return false;
}
