/* An object for those who are told what it does by a fake host. */
#include <plumb/object.h>
static void enq(plumb_invocation *i)
{
    (void)i;
}
static void deq(plumb_invocation *i)
{
    plumb_term(i, "empty");
}
PLUMB_OBJECT(.operations = { { "enq", enq, { PLUMB_FRESH } }, { "deq", deq } });
