/* model_writer.h - what both halves of writing a model share. */
#ifndef TESTS_MODEL_WRITER_H
#define TESTS_MODEL_WRITER_H

#include "base/text.h"
#include "csp/language/model.h"

struct plumb_csp_writer {
    const struct plumb_csp_model *m;
    const struct plumb_csp_definition *d; /* that it stands in, or NULL */
    struct plumb_base_text *out;
    uint32_t temps; /* of the program, declared so far */
    /* Temporaries that stand for what a method answered, to be written where it
     * is used. */
    const struct plumb_csp_statement *answer[8];
    uint32_t answers;
};

static inline void plumb_csp_write(struct plumb_csp_writer *w, const char *text)
{
    plumb_base_text_add(w->out, text);
}

/* List, or the name of a struct. */
const char *plumb_csp_kind_text(const struct plumb_csp_model *m, uint8_t kind);
void plumb_csp_write_name(struct plumb_csp_writer *w, const char *name);
void plumb_csp_write_local(struct plumb_csp_writer *w, uint32_t number);
void plumb_csp_write_expr(struct plumb_csp_writer *w,
                          const struct plumb_csp_expr *e);
/* In brackets, if it is more than one thing. */
void plumb_csp_write_operand(struct plumb_csp_writer *w,
                             const struct plumb_csp_expr *e);
void plumb_csp_write_indices(struct plumb_csp_writer *w,
                             const struct plumb_csp_expr *const *index,
                             uint32_t count);
void plumb_csp_write_program(struct plumb_csp_writer *w,
                             const struct plumb_csp_program *p);

#endif
