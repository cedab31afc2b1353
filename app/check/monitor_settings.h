/* monitor_settings.h - what the user asked plumb monitor for. */
#ifndef PLUMB_APP_CHECK_MONITOR_SETTINGS_H
#define PLUMB_APP_CHECK_MONITOR_SETTINGS_H

#include "app/console/exit_status.h"
#include <plumb/format.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct check_monitor_settings {
    const char *file; /* or "-" */
    const char *spec; /* NULL: guess */
    enum plumb_format format;
    uint64_t interval; /* milliseconds; 0: no health lines */
    uint64_t timeout;  /* milliseconds; 0: none */
    size_t memory;     /* bytes; 0: no limit */
    bool follow, json, quiet, verbose, color;
};

enum console_status check_monitor_run(const struct check_monitor_settings *s);

#endif
