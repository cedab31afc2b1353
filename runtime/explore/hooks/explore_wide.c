/* explore_wide.c - atomic operations of 16 bytes, for the explorer.
 *
 * Like the others, and on every processor whose compiler has such numbers: no
 * instruction for them is needed. */
#include "atomic_hook.h"

#if PLUMB_HOOKS && defined(__SIZEOF_INT128__)

__extension__ typedef unsigned __int128 wide;

ATOMIC(128, wide)

#endif
