/* verify_settings.h - what `plumb verify` was asked to do. */
#ifndef PLUMB_APP_VERIFY_VERIFY_SETTINGS_H
#define PLUMB_APP_VERIFY_VERIFY_SETTINGS_H

#include "app/console/exit_status.h"
#include "app/publish/publication.h"
#include "refine/judge.h"
#include "verify_native.h"
#include <plumb/format.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_SETTINGS = 64, MOST_NAME = 128 };

struct verify_settings {
    struct publish_settings publish;
    struct publication *publication; /* NULL: nothing is published */
    const char *file;
    unsigned long assertion; /* from 1; 0: all */
    enum plumb_refine_engine engine;
    enum plumb_csp_counting counting;
    enum plumb_csp_reduction reduction;
    enum plumb_refine_symmetry_use symmetry;
    enum plumb_refine_fairness fairness;
    enum plumb_refine_search search;
    enum verify_native_when compile;
    struct plumb_csp_setting setting[MOST_SETTINGS]; /* -D NAME=VALUE */
    char name[MOST_SETTINGS][MOST_NAME];
    size_t settings;
    bool counts; /* --count: print them on stdout */
    bool legacy, simulate, json, quiet, verbose, color;
    const char *dot, *history; /* files to write, or NULL */
    enum plumb_format history_format;
    unsigned long steps; /* of --simulate: at random so many; 0: ask */
    unsigned threads;
    uint64_t timeout, timeout_each, seed;
    size_t memory;
};

enum console_status verify_run(const struct verify_settings *s);

/* Of the process of an assertion (--assert, else the first): the steps there
 * are, one chosen by the user or at random, and so on; and its graph, written
 * to s->dot. */
enum console_status verify_simulate(const struct verify_settings *s,
                                    const struct plumb_csp_model *model,
                                    struct plumb_budget *budget);

/* Add ,"graph":{...}: the states of an assertion's process and the steps
 * between them, unless they are too many to be looked at. */
void verify_graph_json(const struct verify_settings *s,
                       const struct plumb_csp_model *model,
                       const struct plumb_csp_assertion *assertion,
                       struct plumb_base_text *out);

enum console_status verify_dot(const struct verify_settings *s,
                               const struct plumb_csp_model *model,
                               struct plumb_budget *budget);

#endif
