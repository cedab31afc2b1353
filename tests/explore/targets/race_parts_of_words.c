// explore: -- -DBIT_FIELDS
// expect: data race
// explore: -- -DUNIT_BETWEEN
// expect: no violation
// explore: -- -DCHARACTERS
// expect: no violation
// explore: -- -DUNION
// expect: data race
// explore: -- -DOTHER_HALF
// expect: no violation

/* Bit-fields side by side are one memory location, unless something ends it;
 * characters side by side are two.  What is written as a part is read with the
 * whole, but not with the other half. */
#include <stdint.h>

#include "threads.h"

#if defined BIT_FIELDS
struct {
    unsigned left : 4, right : 4;
} it;
#elif defined UNIT_BETWEEN
struct {
    unsigned left : 8;
    unsigned : 0;
    unsigned right : 8;
} it;
#elif defined CHARACTERS
struct {
    char left, right;
} it;
#else
union {
    uint32_t whole;
    uint16_t half[2];
} it;
#endif

static void *one(void *unused)
{
#if defined UNION || defined OTHER_HALF
    it.half[1] = 1;
#else
    it.left = 1;
#endif
    return unused;
}

static void *two(void *unused)
{
#if defined UNION
    return it.whole > 70000 ? NULL : unused;
#elif defined OTHER_HALF
    it.half[0] = 2;
    return unused;
#else
    it.right = 1;
    return unused;
#endif
}

int main(void)
{
    RUN_TWO(one, two);
    return 0;
}
