/* oracle_names.c - from texts to types, parameters, operations and terms. */
#include "oracle_types.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_word(const char *text, size_t length, const char *word)
{
    return length == strlen(word) && !memcmp(text, word, length);
}

struct oracle_value oracle_value_parse(const char *text, size_t length)
{
    const size_t sign = length && *text == '-';
    size_t digits = sign;
    while (digits < length && isdigit((unsigned char)text[digits]))
        digits++;
    if (digits == length && digits > sign)
        return oracle_text(PLUMB_INT, text, length);
    if (is_word(text, length, "nil"))
        return oracle_nil();
    if (is_word(text, length, "true") || is_word(text, length, "false"))
        return oracle_bool(*text == 't');
    return oracle_text(PLUMB_STR, text, length);
}

static const struct {
    const char *name;
    enum oracle_type type;
} type_names[] = { { "queue", ORACLE_QUEUE },
                   { "semiqueue", ORACLE_SEMIQUEUE },
                   { "stuttering-queue", ORACLE_STUTTERING_QUEUE },
                   { "stack", ORACLE_STACK },
                   { "deque", ORACLE_DEQUE },
                   { "priority-queue", ORACLE_PRIORITY_QUEUE },
                   { "set", ORACLE_SET },
                   { "multiset", ORACLE_MULTISET },
                   { "bag", ORACLE_BAG },
                   { "map", ORACLE_MAP },
                   { "register", ORACLE_REGISTER },
                   { "cas-register", ORACLE_REGISTER },
                   { "counter", ORACLE_COUNTER },
                   { "semaphore", ORACLE_SEMAPHORE },
                   { "mutex", ORACLE_MUTEX } };

/* In the order of enum oracle_op, without '_'. */
static const char *const op_names[] = {
    "enq",     "put",       "deq",      "poll",      "take",       "peek",
    "push",    "pop",       "trypop",   "pushfront", "pushback",   "popfront",
    "popback", "peekfront", "peekback", "insert",    "delmin",     "min",
    "delete",  "member",    "count",    "get",       "remove",     "append",
    "write",   "read",      "cas",      "swap",      "inc",        "dec",
    "add",     "fetchinc",  "fetchadd", "acquire",   "tryacquire", "release",
    "lock",    "trylock",   "unlock"
};

static const char *const term_names[] = { "ok", "empty", "full", "none" };

/* Without regard to case, '-' and '_'; the list is without any. */
static int find_name(const char *name, const char *const *list, size_t count)
{
    char plain[32];
    size_t length = 0;
    for (; *name && length < sizeof plain - 1; name++)
        if (*name != '-' && *name != '_')
            plain[length++] = (char)tolower((unsigned char)*name);
    plain[length] = '\0';
    for (size_t i = 0; i < count; i++)
        if (!strcmp(plain, list[i]))
            return (int)i;
    return -1;
}

bool oracle_op_parse(const char *name, enum oracle_op *op)
{
    const int i = find_name(name, op_names, sizeof op_names / sizeof *op_names);
    *op = (enum oracle_op)i;
    return i >= 0;
}

bool oracle_term_parse(const char *name, enum oracle_term *term)
{
    const int i =
        find_name(name, term_names, sizeof term_names / sizeof *term_names);
    *term = (enum oracle_term)i;
    return i >= 0;
}

const char *oracle_term_name(enum oracle_term term)
{
    return term_names[term];
}

static bool parse_relaxation(struct oracle_spec *spec, const char *key,
                             size_t name, unsigned value)
{
    const bool k = is_word(key, name, "k");
    if (k || is_word(key, name, "early"))
        spec->early = value;
    if ((k && spec->type == ORACLE_QUEUE) || is_word(key, name, "late"))
        spec->late = value;
    if (is_word(key, name, "segment"))
        spec->segment = value;
    if (is_word(key, name, "empty"))
        spec->empty = value;
    const bool is_one =
        k || is_word(key, name, "early") || is_word(key, name, "late") ||
        is_word(key, name, "segment") || is_word(key, name, "empty");
    spec->relaxed |= is_one;
    return is_one;
}

static bool parse_parameter(struct oracle_spec *spec, const char *key,
                            size_t length)
{
    const char *const equals = memchr(key, '=', length);
    const size_t name = equals ? (size_t)(equals - key) : length;
    const char *const value = equals ? equals + 1 : "";
    if (is_word(key, name, "blocking"))
        spec->blocking = true;
    else if (is_word(key, name, "max"))
        spec->max = true;
    else if (is_word(key, name, "cap"))
        spec->cap = (unsigned)strtoul(value, NULL, 10);
    else if (is_word(key, name, "j"))
        spec->j = (unsigned)strtoul(value, NULL, 10);
    else if (is_word(key, name, "n"))
        spec->n = strtoll(value, NULL, 10);
    else if (is_word(key, name, "init")) {
        spec->has_init = true;
        spec->init = oracle_value_parse(value, length - name - 1);
    } else
        return parse_relaxation(spec, key, name,
                                (unsigned)strtoul(value, NULL, 10));
    return true;
}

bool oracle_spec_parse(const char *text, struct oracle_spec *spec)
{
    const size_t name = strcspn(text, ":");
    *spec = (struct oracle_spec){
        .j = 1, .n = 1, .early = ORACLE_UNBOUNDED, .late = ORACLE_UNBOUNDED
    };
    size_t i = 0, types = sizeof type_names / sizeof *type_names;
    while (i < types && !is_word(text, name, type_names[i].name))
        i++;
    if (i == types)
        return false;
    spec->type = type_names[i].type;
    const char *at = text + name;
    while (*at) {
        const size_t length = strcspn(++at, ",");
        if (!parse_parameter(spec, at, length))
            return false;
        at += length;
    }
    if (spec->early == ORACLE_UNBOUNDED && spec->late == ORACLE_UNBOUNDED &&
        !spec->segment)
        spec->early = 0;
    return true;
}
