/* model_writer.h - what both halves of writing a model share. */
#ifndef PLUMB_MODEL_MODEL_WRITER_H
#define PLUMB_MODEL_MODEL_WRITER_H

#include "base/text.h"
#include "model.h"

struct plumb_writer {
    const struct plumb_model *m;
    const struct plumb_definition *d; /* that it stands in, or NULL */
    struct plumb_text *out;
    uint32_t temps; /* of the program, declared so far */
};

static inline void plumb_write(struct plumb_writer *w, const char *text)
{
    plumb_text_add(w->out, text);
}

void plumb_write_name(struct plumb_writer *w, const char *name);
void plumb_write_local(struct plumb_writer *w, uint32_t number);
void plumb_write_expr(struct plumb_writer *w, const struct plumb_expr *e);
/* In brackets, if it is more than one thing. */
void plumb_write_operand(struct plumb_writer *w, const struct plumb_expr *e);
void plumb_write_indices(struct plumb_writer *w,
                         const struct plumb_expr *const *index, uint32_t count);
void plumb_write_program(struct plumb_writer *w, const struct plumb_program *p);

#endif
