/* per_object_values.c - see per_object_values.h. */
#include "per_object_values.h"

#include "base/arena.h"
#include <stdlib.h>

bool plumb_check_object_values_init(struct plumb_check_object_values *w,
                                    struct plumb_check_kinds *kinds,
                                    const struct plumb_check_inputs *tapes,
                                    struct plumb_base_arena *arena)
{
    size_t longest = 0;
    for (uint32_t i = 0; i < tapes->count; i++)
        if (tapes->tape[i].count > longest)
            longest = tapes->tape[i].count;
    w->kinds = kinds;
    w->list = plumb_base_arena_alloc(arena, (PLUMB_TAPE_WORDS * longest + 1) *
                                                sizeof *w->list);
    w->number = plumb_base_arena_alloc(arena, kinds->numbers->count *
                                                  sizeof *w->number);
    return w->list && w->number;
}

/* Whether word i of an operation of that kind is a value with a number. */
static bool is_value(const struct plumb_check_object_values *w,
                     const struct plumb_check_kind *kind,
                     const struct plumb_check_input_op *o, unsigned i)
{
    return o->word[i] < w->kinds->numbers->count && kind->letter[i] != 'b' &&
           kind->letter[i] != 'i';
}

static const struct plumb_check_kind *kind_of(
    const struct plumb_check_object_values *w,
    const struct plumb_check_input *tape, uint32_t i)
{
    return plumb_check_kind_of(w->kinds, w->kinds->h->op +
                                             plumb_check_input_origin(tape, i));
}

static uint32_t collect(const struct plumb_check_object_values *w,
                        const struct plumb_check_input *tape)
{
    uint32_t words = 0;
    if (tape->initial < w->kinds->numbers->count)
        w->list[words++] = tape->initial;
    for (uint32_t i = 0; i < tape->count; i++) {
        const struct plumb_check_kind *const kind = kind_of(w, tape, i);
        for (unsigned k = 0; k < PLUMB_TAPE_WORDS; k++)
            if (is_value(w, kind, tape->op + i, k))
                w->list[words++] = tape->op[i].word[k];
    }
    return words;
}

static int compare(const void *x, const void *y)
{
    const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return a < b ? -1 : a > b;
}

/* How many different ones there are. */
static uint32_t number(const struct plumb_check_object_values *w,
                       uint32_t words)
{
    uint32_t numbers = 0;
    qsort(w->list, words, sizeof *w->list, compare);
    for (uint32_t i = 0; i < words; i++) {
        numbers += i == 0 || w->list[i] != w->list[i - 1];
        w->number[w->list[i]] = numbers - 1;
    }
    return numbers;
}

void plumb_check_object_values(const struct plumb_check_object_values *w,
                               struct plumb_check_input *tape,
                               struct plumb_check_input_op *op)
{
    if (w->kinds->numbers->count / 2 <= tape->count)
        return;
    tape->values = number(w, collect(w, tape));
    for (uint32_t i = 0; i < tape->count; i++) {
        const struct plumb_check_kind *const kind = kind_of(w, tape, i);
        for (unsigned k = 0; k < PLUMB_TAPE_WORDS; k++)
            if (is_value(w, kind, op + i, k))
                op[i].word[k] = w->number[op[i].word[k]];
    }
    if (tape->initial < w->kinds->numbers->count)
        tape->initial = w->number[tape->initial];
}
