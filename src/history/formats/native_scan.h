/* native_scan.h - the words, strings and numbers of native text.
 *
 * Bulk reading is bound by finding out which symbol a word is.  Words of up to
 * 15 bytes are looked up by value, as two integers, in a small direct-mapped
 * cache in front of the builder's table; numbers never become symbols. */
#ifndef PLUMB_HISTORY_FORMATS_NATIVE_SCAN_H
#define PLUMB_HISTORY_FORMATS_NATIVE_SCAN_H

#include "native.h"

/* A short word as a number: its bytes, zeros, and its length in the last. */
struct plumb_history_key {
    uint64_t low, high;
};
enum { PLUMB_KEY_MAX = 15 };

struct plumb_history_scan_id {
    struct plumb_history_key key;
    uint32_t symbol;
};
enum { PLUMB_SCAN_IDS = 256 };

struct plumb_history_scan {
    const char *at, *end, *line_start;
    uint32_t line;
    bool comment; /* the current line has one           */
    bool endless; /* and this one goes to the very end  */
    struct plumb_builder *builder;
    struct plumb_error *err;
    struct plumb_base_text scratch; /* unescaped or lower-case text */
    struct plumb_history_scan_id id[PLUMB_SCAN_IDS];
};

/* Where in the current line `at` is. */
struct plumb_origin plumb_history_scan_origin(
    const struct plumb_history_scan *s, const char *at);

/* All that return bool are false after an error, which is then in `err`. */
bool plumb_history_scan_fail(struct plumb_history_scan *s, const char *at,
                             const char *message);

bool plumb_history_scan_comment(struct plumb_history_scan *s);
/* Go to `to`, and count the lines on the way. */
void plumb_history_scan_forward(struct plumb_history_scan *s, const char *to);

/* The symbol of a text, of the string at s->at, of the word or string there;
 * `missing` is the error if neither is there. */
bool plumb_history_scan_intern(struct plumb_history_scan *s, const char *text,
                               size_t length, uint32_t *symbol);
bool plumb_history_scan_string(struct plumb_history_scan *s, uint32_t *symbol);
bool plumb_history_scan_id(struct plumb_history_scan *s, const char *missing,
                           uint32_t *symbol);

/* The values at s->at, from '(' to ')': at most 255. */
bool plumb_history_scan_values(struct plumb_history_scan *s,
                               struct plumb_value *value, size_t *count);

static inline bool plumb_history_is_native_blank(char c)
{
    return plumb_history_native_kind[(unsigned char)c] == PLUMB_NATIVE_BLANK;
}

static inline bool plumb_history_comment_begins(const char *at, const char *end)
{
    return end - at >= 2 && at[0] == '/' && at[1] == '*';
}

/* Behind the comment that begins at `at`; NULL if it does not end. */
const char *plumb_history_comment_end(const char *at, const char *end);

/* Skip blanks and comments. */
static inline bool plumb_history_scan_blanks(struct plumb_history_scan *s)
{
    for (;;) {
        while (s->at < s->end && plumb_history_is_native_blank(*s->at))
            s->at++;
        if (!plumb_history_comment_begins(s->at, s->end))
            return true;
        if (!plumb_history_scan_comment(s))
            return false;
    }
}

static inline const char *plumb_history_word_end(const char *at,
                                                 const char *end)
{
    for (;; at++) {
        while (at < end && plumb_history_native_kind[(unsigned char)*at] ==
                               PLUMB_NATIVE_WORD)
            at++;
        if (at == end || *at != '/' || plumb_history_comment_begins(at, end))
            return at;
    }
}

/* The key of a word of at most PLUMB_KEY_MAX bytes; `end` is the data's. */
static inline struct plumb_history_key plumb_history_word_key(const char *text,
                                                              size_t length,
                                                              const char *end)
{
    struct plumb_history_key k;
    const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    if (!little || end - text < (ptrdiff_t)sizeof k) {
        char bytes[sizeof k] = { 0 };
        memcpy(bytes, text, length);
        bytes[sizeof k - 1] = (char)length;
        memcpy(&k, bytes, sizeof k);
        return k;
    }
    memcpy(&k, text, sizeof k); /* the word and what follows it */
    if (length < 8) {
        k.low &= ((uint64_t)1 << 8 * length) - 1;
        k.high = 0;
    } else {
        k.high &= ((uint64_t)1 << 8 * (length - 8)) - 1;
    }
    k.high |= (uint64_t)length << 56;
    return k;
}

static inline bool plumb_history_key_equal(struct plumb_history_key a,
                                           struct plumb_history_key b)
{
    return a.low == b.low && a.high == b.high;
}

static inline uint32_t plumb_history_key_hash(struct plumb_history_key k)
{
    return (uint32_t)((k.low ^ k.high * 31) * 0x9e3779b97f4a7c15u >> 40);
}

#endif
