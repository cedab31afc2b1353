/* story.h - what the patterns of explain.c share: the scene, and a way to
 * write sentences about it. */
#ifndef PLUMB_REPORT_STORY_H
#define PLUMB_REPORT_STORY_H

#include "label.h"
#include "scene.h"

struct plumb_report_story {
    const struct plumb_report_scene *scene;
    const char *spec; /* as given, for its parameters */
    const struct plumb_report_style *style;
    struct plumb_base_arena *arena;
    struct plumb_base_text *out;
};

/* Add a sentence and a newline.  In `format`, @ is the letter of an operation
 * (uint32_t, its number in the scene), $ a value (struct plumb_value), # a
 * number (int64_t), and ~ a text (const char *). */
void plumb_report_story_tell(const struct plumb_report_story *s,
                             const char *format, ...);

/* The patterns of a family of types; each tells the first that fits.
 * `type` is the name of the specification without parameters. */
bool plumb_report_story_of_items(const struct plumb_report_story *s,
                                 const char *type);
bool plumb_report_story_of_cells(const struct plumb_report_story *s,
                                 const char *type);
bool plumb_report_story_of_counts(const struct plumb_report_story *s,
                                  const char *type);

/* ---- reading the scene ---- */

/* Is `word` among these, separated by spaces? */
bool plumb_report_story_lists(const char *words, const char *word);

/* Is the name of the i-th operation one of these, separated by spaces? */
bool plumb_report_story_name_is(const struct plumb_report_story *s, uint32_t i,
                                const char *names);

/* Is its result term this? */
bool plumb_report_story_term_is(const struct plumb_report_story *s, uint32_t i,
                                const char *term);

/* A boolean as the sources of histories write them.  False: it is none. */
bool plumb_report_story_bool(const struct plumb_report_story *s,
                             struct plumb_value v, bool *b);

/* The text of a parameter, "" of a flag, with its length; NULL: not given. */
const char *plumb_report_story_param(const struct plumb_report_story *s,
                                     const char *name, size_t *size);

/* The number that a parameter is; `otherwise` if it is not given or none. */
int64_t plumb_report_story_number(const struct plumb_report_story *s,
                                  const char *name, int64_t otherwise);

#endif
