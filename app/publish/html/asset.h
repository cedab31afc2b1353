/* asset.h - files that become a part of the program when it is built
 * (embed.cmake). */
#ifndef PLUMB_APP_PUBLISH_HTML_ASSET_H
#define PLUMB_APP_PUBLISH_HTML_ASSET_H

#include <stddef.h>

struct publish_asset {
    const unsigned char *data;
    size_t size;
    unsigned char sha256[32];
};

/* picture.css and report.css; picture.css alone; report.js */
extern const struct publish_asset publish_style, publish_picture_style,
    publish_script;

#endif
