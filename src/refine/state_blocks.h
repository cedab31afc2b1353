/* state_blocks.h - the states of a graph in blocks. */
#ifndef PLUMB_REFINE_STATE_BLOCKS_H
#define PLUMB_REFINE_STATE_BLOCKS_H

#include <stdint.h>

struct plumb_refine_partition {
    uint32_t *block; /* of each state, numbered from 0                    */
    uint32_t states, blocks;
};

#endif
