/* fuzz_model.c - whatever the bytes, the reader of models gives a model or an
 * error with a place.
 *
 * A model that is read is written as text, and that is read as the same model
 * again; only brackets, of which the text has more, may then be too deep.
 * What is of our own making (stack.n, arrays of programs, beginnings of = *) has
 * no text: its name has a point, or is also another's. */
#include "base/memory.h"
#include "csp/language/model.h"
#include "model_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static _Noreturn void die(const char *what, const char *message)
{
    fprintf(stderr, "%s: %s\n", what, message);
    abort();
}

static const char *include(void *context, const char *path, size_t *size)
{
    static const char text[] = "var included = 1; Included() = e -> Skip;";
    (void)context;
    *size = sizeof text - 1;
    return *path ? text : NULL;
}

static bool has_names_of_ours(const struct plumb_csp_model *m)
{
    for (uint32_t i = 0; i < m->variables; i++)
        if (m->variable[i].passing || strchr(m->variable[i].name, '.'))
            return true;
    for (uint32_t i = 0; i < m->definitions; i++) {
        if (strchr(m->definition[i].name, '.'))
            return true;
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(m->definition[i].name, m->definition[k].name) == 0)
                return true;
    }
    return false;
}

static void check_error(const struct plumb_error *err)
{
    if (!err->message[0])
        die("broken promise", "an error says something");
    if (err->status == PLUMB_EINPUT && (!err->line || !err->column))
        die("broken promise", "bad input is bad somewhere");
    if (err->status != PLUMB_EINPUT && err->status != PLUMB_EMEMORY)
        die("unexpected status", err->message);
}

static void round_trip(const struct plumb_csp_model *m,
                       struct plumb_budget *budget)
{
    struct plumb_base_text text, again;
    struct plumb_csp_model *back;
    struct plumb_error err;
    plumb_base_text_init(&text, budget);
    plumb_base_text_init(&again, budget);
    plumb_csp_model_text(m, &text);
    const struct plumb_csp_reading r = { .name = "again",
                                         .text = plumb_base_text_string(&text),
                                         .size = strlen(
                                             plumb_base_text_string(&text)),
                                         .budget = budget };
    if (!text.broken && !has_names_of_ours(m)) {
        if (plumb_csp_model_read(&r, &back, &err) == PLUMB_OK) {
            plumb_csp_model_text(back, &again);
            if (!again.broken && strcmp(plumb_base_text_string(&text),
                                        plumb_base_text_string(&again)) != 0)
                die(plumb_base_text_string(&text),
                    plumb_base_text_string(&again));
            plumb_csp_model_free(back);
        } else if (err.status == PLUMB_EINPUT &&
                   strcmp(err.message, "nested too deeply") != 0) {
            die(r.text, err.message);
        }
    }
    plumb_base_text_release(&text);
    plumb_base_text_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct plumb_budget *const budget = plumb_budget_new(0, (size_t)1 << 28);
    struct plumb_csp_model *model = NULL;
    struct plumb_error err = { .status = PLUMB_OK };
    const struct plumb_csp_reading r = { .name = "fuzz",
                                         .text = (const char *)data,
                                         .size = size,
                                         .legacy = size % 2,
                                         .include = include,
                                         .budget = budget };
    if (!budget)
        die("cannot begin", "out of memory");
    if (plumb_csp_model_read(&r, &model, &err) == PLUMB_OK)
        round_trip(model, budget);
    else
        check_error(&err);
    plumb_csp_model_free(model);
    if (plumb_budget_used(budget) != 0)
        die("broken promise", "nothing stays allocated");
    plumb_budget_free(budget);
    return 0;
}
