/* roles.c - what an operation does with a value, told by its name. */
#include "roles.h"

#include "base/spelling.h"

struct names {
    enum plumb_history_role role;
    const char *const *name;
};

static const char *const adds[] = {
    "write",    "enq",        "enqueue",    "push",      "insert",   "add",
    "put",      "offer",      "send",       "store",     "set",      "append",
    "pushback", "pushfront",  "pushleft",   "pushright", "addfirst", "addlast",
    "pushtop",  "pushbottom", "offerfirst", "offerlast", NULL
};
static const char *const takes[] = {
    "deq",        "dequeue",     "pop",        "poll",      "take",
    "remove",     "recv",        "receive",    "peek",      "front",
    "head",       "first",       "top",        "trydeq",    "trydequeue",
    "trypop",     "trytake",     "popfront",   "popback",   "popleft",
    "popright",   "poptop",      "popbottom",  "steal",     "pollfirst",
    "polllast",   "removefirst", "removelast", "peekfront", "peekback",
    "peekleft",   "peekright",   "peekfirst",  "peeklast",  "delmin",
    "deletemin",  "extractmin",  "removemin",  "delmax",    "deletemax",
    "extractmax", "removemax",   "min",        "max",       "findmin",
    "findmax",    "getmin",      "getmax",     "removeany", NULL
};
static const char *const reads[] = { "read", "get", "load", "value", NULL };
static const char *const cases[] = { "cas", "compareandset", "compareandswap",
                                     "compareexchange", NULL };
static const char *const locks[] = { "acquire", "release", "lock", "unlock",
                                     NULL };

static const struct names roles[] = {
    { PLUMB_ROLE_READ, reads }, { PLUMB_ROLE_ADD, adds },
    { PLUMB_ROLE_CAS, cases },  { PLUMB_ROLE_TAKE, takes },
    { PLUMB_ROLE_LOCK, locks },
};

enum { LONGEST = 16 };

/* Lower case without - and _, NUL-terminated; false if longer than any. */
static bool normalise(const char *name, size_t length, char plain[LONGEST])
{
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        const char c = name[i];
        if (c == '-' || c == '_')
            continue;
        if (n == LONGEST - 1)
            return false;
        plain[n++] = plumb_base_lower(c);
    }
    plain[n] = '\0';
    return n && !memchr(plain, '\0', n);
}

bool plumb_history_name_is(const char *name, size_t length, const char *word)
{
    char plain[LONGEST];
    return normalise(name, length, plain) && strcmp(plain, word) == 0;
}

enum plumb_history_role plumb_history_role_of(const char *name, size_t length)
{
    char plain[LONGEST];
    if (!normalise(name, length, plain))
        return PLUMB_ROLE_OTHER;
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        for (const char *const *word = roles[i].name; *word; word++)
            if (strcmp(*word, plain) == 0)
                return roles[i].role;
    return PLUMB_ROLE_OTHER;
}
