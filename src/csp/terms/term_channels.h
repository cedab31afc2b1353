/* term_channels.h - sending and receiving. */
#ifndef PLUMB_CSP_TERMS_TERM_CHANNELS_H
#define PLUMB_CSP_TERMS_TERM_CHANNELS_H

#include "term_steps.h"

enum plumb_status plumb_csp_channel_send(struct plumb_csp_stepping *g,
                                         uint32_t send);
enum plumb_status plumb_csp_channel_receive(struct plumb_csp_stepping *g,
                                            uint32_t receive);

#endif
