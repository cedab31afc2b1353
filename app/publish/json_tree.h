/* json_tree.h - a JSON text, read into a tree. */
#ifndef PLUMB_APP_PUBLISH_JSON_TREE_H
#define PLUMB_APP_PUBLISH_JSON_TREE_H

#include "base/arena.h"
#include <plumb/error.h>
#include <stdbool.h>

enum publish_json_type {
    JSON_NULL,
    JSON_BOOL,   /* text is "true" or "false"   */
    JSON_NUMBER, /* text is how it was written  */
    JSON_STRING,
    JSON_LIST,
    JSON_OBJECT
};

/* Strings end with NUL and hold none before that: control characters but tabs
 * and newlines have become their pictures, U+2400 and on. */
struct publish_json {
    enum publish_json_type type;
    const char *key; /* of a member of an object */
    const char *text;
    size_t size;
    const struct publish_json *first, *next; /* elements or members */
};

/* One value, up to `end`; NULL after saying in `err` what is wrong, in
 * particular if memory is used up. */
const struct publish_json *publish_json_read(const char *text, size_t size,
                                             struct plumb_base_arena *arena,
                                             struct plumb_error *err);

/* All of these take NULL and a value of another type as nothing. */
const struct publish_json *publish_json_get(const struct publish_json *object,
                                            const char *key);
const struct publish_json *publish_json_first(const struct publish_json *list);
size_t publish_json_count(const struct publish_json *list);
/* "" if it is not a string, a number or a truth value. */
const char *publish_json_text(const struct publish_json *object,
                              const char *key);
uint64_t publish_json_number(const struct publish_json *object, const char *key,
                             uint64_t otherwise);
bool publish_json_is_true(const struct publish_json *object, const char *key);
static inline bool publish_json_is(const struct publish_json *v,
                                   enum publish_json_type type)
{
    return v && v->type == type;
}

#endif
