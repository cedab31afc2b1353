#include "stage.h"
#include <plumb/object.h>
void plumb_retry(void)
{
}
void plumb_contend(void)
{
}
unsigned plumb_choose(unsigned n)
{
    return stage_choose(HERE, n, "plumb_choose()");
}
