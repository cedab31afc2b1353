// explore: --test 'put(k, ab) | get(k) | put(k, cd)'
// expect: no violation
// explore: --init 'put(k, ab)' --test 'get(k) | put(k, cd)' -- -DLETTERS
// expect: not linearizable

/* A map of one key whose values are texts.  LETTERS: written letter by letter,
 * so that a reader gets a text nobody wrote. */
#include <stdatomic.h>
#include <string.h>

#include <plumb/object.h>

enum { LENGTH = 4 };
#ifdef LETTERS
static _Atomic char value[LENGTH];

static void store(const char *text)
{
    for (unsigned k = 0; k < LENGTH - 1; k++) {
        atomic_store(&value[k], text[k]);
        if (!text[k])
            return;
    }
}

static void load(char *text)
{
    for (unsigned k = 0; k < LENGTH; k++)
        text[k] = atomic_load(&value[k]);
}
#else
static _Atomic uint32_t value;

static void store(const char *text)
{
    uint32_t word = 0;
    memcpy(&word, text, strlen(text) < LENGTH ? strlen(text) : LENGTH - 1);
    atomic_store(&value, word);
}

static void load(char *text)
{
    const uint32_t word = atomic_load(&value);
    memcpy(text, &word, sizeof word);
}
#endif

static void put(plumb_invocation *i)
{
    store(plumb_arg_text(i, 1));
}

static void get(plumb_invocation *i)
{
    char text[LENGTH];
    load(text);
    if (text[0])
        plumb_return_text(i, text);
    else
        plumb_term(i, "none");
}

PLUMB_OBJECT(.name = "M", .spec = "map",
             .operations = {
                 { "put", put, { PLUMB_ONE_OF("k"), PLUMB_ONE_OF("ab cd") } },
                 { "get", get, { PLUMB_ONE_OF("k") } } });
