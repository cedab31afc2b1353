/* term_channels.h - sending and receiving. */
#ifndef PLUMB_MODEL_TERM_CHANNELS_H
#define PLUMB_MODEL_TERM_CHANNELS_H

#include "term_steps.h"

enum plumb_status plumb_channel_send(struct plumb_stepping *g, uint32_t send);
enum plumb_status plumb_channel_receive(struct plumb_stepping *g,
                                        uint32_t receive);

#endif
