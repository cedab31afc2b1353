/* event_names.c - operation, underscore, term; then the client and results. */
#include "event_names.h"

#include <assert.h>

static char letter_of(char letter, unsigned i)
{
    static const char any[PLUMB_SHAPE_VALUES] = { 'x', 'y', 'z', 'w' };
    return letter == 'i' ? 'n' : letter == 'b' ? 'b' : any[i];
}

void plumb_spec_answer_event(const struct plumb_spec_row *row, unsigned term,
                             const char *op, size_t length, const char *client,
                             struct plumb_base_text *out)
{
    const struct plumb_spec_shape *const answer = row->answer + term;
    assert(answer->present);
    plumb_base_text_bytes(out, op, length);
    plumb_base_text_printf(
        out, "_%s.%s",
        term == PLUMB_TERM_OK ? "res" : plumb_spec_term_name(term), client);
    for (unsigned i = 0; i < answer->least; i++)
        plumb_base_text_printf(out, ".%c", letter_of(answer->letter[i], i));
}
