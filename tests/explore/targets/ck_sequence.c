// explore:
// expect: no violation
// needs: ck_sequence.h
// explore: -- -DPLAIN
// expect: data race
// needs: ck_sequence.h
// explore: -- -DNO_RETRY
// expect: assertion
// needs: ck_sequence.h

/* ck_sequence: a pair that is read again if it was written meanwhile.  PLAIN:
 * its halves are not atomic, which the method does not allow.  NO_RETRY reads
 * once. */
#include <assert.h>

#include "ck.h"
#include "threads.h"

#include <ck_sequence.h>

static ck_sequence_t sequence = CK_SEQUENCE_INITIALIZER;
static int left, right;

#ifdef PLAIN
#define GET(p)    (*(p))
#define SET(p, v) (*(p) = (v))
#else
#define GET(p)    ck_pr_load_int(p)
#define SET(p, v) ck_pr_store_int(p, v)
#endif

static void *writes(void *unused)
{
    ck_sequence_write_begin(&sequence);
    SET(&left, 1);
    SET(&right, 1);
    ck_sequence_write_end(&sequence);
    return unused;
}

static void *reads(void *unused)
{
    int l, r;
#ifdef NO_RETRY
    (void)ck_sequence_read_begin(&sequence);
    l = GET(&left);
    r = GET(&right);
#else
    unsigned version;
    do {
        version = ck_sequence_read_begin(&sequence);
        l = GET(&left);
        r = GET(&right);
    } while (ck_sequence_read_retry(&sequence, version));
#endif
    assert(l == r);
    return unused;
}

int main(void)
{
    RUN_TWO(writes, reads);
    return 0;
}
