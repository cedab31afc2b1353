/* variety.c - operations with every kind of argument and answer; which are
 * there is said by a macro. */
#include <plumb/object.h>
#include <string.h>

static void nothing(plumb_invocation *i)
{
    (void)i;
}

#if defined RESULTS /* more than there is room for */
static void many(plumb_invocation *i)
{
    for (int n = 0; n < 101; n++)
        plumb_return(i, n);
}
PLUMB_OBJECT(.spec = "counter", .operations = { { "inc", many } });

#elif defined LONG_TEXT
static void tell(plumb_invocation *i)
{
    char text[300];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    plumb_return_text(i, text);
}
PLUMB_OBJECT(.spec = "register", .operations = { { "read", tell } });

#elif defined LONG_TERM
static void end(plumb_invocation *i)
{
    plumb_term(i, "a_term_that_is_longer_than_it_may_be");
}
PLUMB_OBJECT(.spec = "counter", .operations = { { "inc", end } });

#elif defined NO_ARGUMENT
static void ask(plumb_invocation *i)
{
    plumb_return(i, plumb_arg(i, 1));
}
PLUMB_OBJECT(.spec = "counter", .operations = { { "inc", ask } });

#elif defined LONG_INIT /* exactly as many bytes as fit, and then some */
#define TEN   "0123456789"
#define FIFTY TEN TEN TEN TEN TEN
static void put(plumb_invocation *i)
{
    plumb_return_text(i, plumb_arg_text(i, 1));
}
PLUMB_OBJECT(.spec = "map",
             .operations = { { "put",
                               put,
                               { PLUMB_FRESH_TEXT, PLUMB_FRESH_TEXT } } },
             .init = "put(\"" FIFTY FIFTY FIFTY FIFTY FIFTY "01234\",\"" FIFTY
                     "\")");

#elif defined NO_SPEC
PLUMB_OBJECT(.operations = { { "inc", nothing } });

#elif defined OTHER_OPERATION
PLUMB_OBJECT(.spec = "counter",
             .operations = { { "inc", nothing }, { "jump", nothing } });

#elif defined OTHERS_ONLY /* one process alone may invoke nothing */
PLUMB_OBJECT(.spec = "counter",
             .operations = { { "inc", nothing, { { 0 } }, PLUMB_BY_OTHERS } });

#elif defined FINAL_UNKNOWN
PLUMB_OBJECT(.spec = "counter", .operations = { { "inc", nothing } },
             .init = "inc() inc()", .final = "inc() get()");

#elif defined BLOCKS /* every second call waits for ever */
static void wait(plumb_invocation *i)
{
    if (plumb_choose(2))
        plumb_block(i);
}
PLUMB_OBJECT(.spec = "counter", .operations = { { "inc", wait } });

#else
/* A map from texts to texts, of one process: answers of every kind. */
static char key[16][16], value[16][64];
static unsigned size;

static void setup(void)
{
    size = 0;
}

static unsigned place(plumb_invocation *i)
{
    unsigned n = 0;
    while (n < size && strcmp(key[n], plumb_arg_text(i, 0)) != 0)
        n++;
    return n;
}

static void put(plumb_invocation *i)
{
    const unsigned n = place(i);
    if (n == size)
        strcpy(key[size++], plumb_arg_text(i, 0));
    strcpy(value[n], plumb_arg_text(i, 1));
}

static void get(plumb_invocation *i)
{
    const unsigned n = place(i);
    if (n == size)
        plumb_term(i, "none");
    else
        plumb_return_text(i, value[n]);
}

static void contains(plumb_invocation *i)
{
    plumb_return_bool(i, place(i) < size);
}

PLUMB_OBJECT(.name = "M", .spec = "map", .setup = setup,
             .operations = { { "put",
                               put,
                               { PLUMB_ONE_OF("red green"), PLUMB_FRESH_TEXT },
                               PLUMB_BY_ANY,
                               3 },
                             { "get", get, { PLUMB_ONE_OF("red green \"") } },
                             { "contains",
                               contains,
                               { PLUMB_ONE_OF("red blue") } } },
             .init = "put(red,\"a \\\"b\\\"\")", .final = "get(red)");
#endif
