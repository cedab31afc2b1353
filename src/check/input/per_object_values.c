/* per_object_values.c - the values of one object of many, numbered by themselves.
 *
 * Monitors have tables by value.  With many objects, each of which has few of
 * the values of a history, those would be mostly empty, and as many as there are
 * objects. */
#include "kinds.h"

#include "base/arena.h"
#include <stdlib.h>

bool plumb_check_object_values_init(struct plumb_check_object_values *w,
                                    struct plumb_check_kinds *kinds,
                                    const struct plumb_check_inputs *inputs,
                                    struct plumb_base_arena *arena)
{
    size_t longest = 0;
    for (uint32_t i = 0; i < inputs->count; i++)
        if (inputs->input[i].count > longest)
            longest = inputs->input[i].count;
    w->kinds = kinds;
    w->list = plumb_base_arena_alloc(arena, (PLUMB_INPUT_WORDS * longest + 1) *
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
    const struct plumb_check_input *input, uint32_t i)
{
    return plumb_check_kind_of(
        w->kinds, w->kinds->h->op + plumb_check_input_origin(input, i));
}

static uint32_t collect(const struct plumb_check_object_values *w,
                        const struct plumb_check_input *input)
{
    uint32_t words = 0;
    if (input->initial < w->kinds->numbers->count)
        w->list[words++] = input->initial;
    for (uint32_t i = 0; i < input->count; i++) {
        const struct plumb_check_kind *const kind = kind_of(w, input, i);
        for (unsigned k = 0; k < PLUMB_INPUT_WORDS; k++)
            if (is_value(w, kind, input->op + i, k))
                w->list[words++] = input->op[i].word[k];
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
                               struct plumb_check_input *input,
                               struct plumb_check_input_op *op)
{
    if (w->kinds->numbers->count / 2 <= input->count)
        return;
    input->values = number(w, collect(w, input));
    for (uint32_t i = 0; i < input->count; i++) {
        const struct plumb_check_kind *const kind = kind_of(w, input, i);
        for (unsigned k = 0; k < PLUMB_INPUT_WORDS; k++)
            if (is_value(w, kind, op + i, k))
                op[i].word[k] = w->number[op[i].word[k]];
    }
    if (input->initial < w->kinds->numbers->count)
        input->initial = w->number[input->initial];
}
