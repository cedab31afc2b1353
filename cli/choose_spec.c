/* choose_spec.c - by which specification is a history to be judged? */
#include "choose_spec.h"

#include "spec/spec.h"
#include <stdlib.h>
#include <string.h>

enum { NAMES_SHOWN = 4 };

struct known_spec {
    struct known_spec *next;
    struct plumb_spec *spec;
    bool noted; /* that it was guessed */
    char text[];
};

static struct known_spec *find(const struct spec_choice *c, const char *text)
{
    struct known_spec *k = c->known;
    while (k && strcmp(k->text, text) != 0)
        k = k->next;
    return k;
}

static struct known_spec *know(struct spec_choice *c, const char *text,
                               struct plumb_error *err)
{
    struct known_spec *k = find(c, text);
    if (k)
        return k;
    k = calloc(1, sizeof *k + strlen(text) + 1);
    if (!k || plumb_spec_parse(text, &k->spec, err) != PLUMB_OK) {
        free(k);
        return NULL;
    }
    strcpy(k->text, text);
    k->next = c->known;
    c->known = k;
    return k;
}

static const struct plumb_spec *choose_named(struct spec_choice *c,
                                             const char *text,
                                             const char *subject,
                                             struct plumb_text *complaint)
{
    struct plumb_error err = { .message = "out of memory" };
    const struct known_spec *const k = know(c, text, &err);
    if (k)
        return k->spec;
    plumb_text_printf(complaint,
                      "%s: it names the specification %s: %s; give --spec\n",
                      subject, text, err.message);
    return NULL;
}

/* "enq, deq": the operations in the order they first occur. */
static void list_operations(const struct plumb_history *h,
                            struct plumb_text *out)
{
    uint32_t seen[NAMES_SHOWN];
    size_t count = 0;
    for (uint32_t i = 0; i < h->count; i++) {
        const uint32_t name = h->op[i].name;
        size_t k = 0;
        while (k < count && seen[k] != name)
            k++;
        if (k < count)
            continue;
        if (count == NAMES_SHOWN) {
            plumb_text_add(out, ", ...");
            return;
        }
        seen[count++] = name;
        plumb_text_printf(out, "%s%s", count > 1 ? ", " : "",
                          plumb_symbol_text(h->symbols, name, NULL));
    }
}

static void add_guess_note(struct known_spec *k, const struct plumb_history *h,
                           const char *subject, struct plumb_text *complaint)
{
    if (k->noted)
        return;
    k->noted = true;
    plumb_text_printf(complaint, "note: %s: --spec not given; ", subject);
    list_operations(h, complaint);
    plumb_text_printf(complaint, " suggest%s %s\n", h->count == 1 ? "s" : "",
                      k->text);
}

static void add_no_guess(const struct plumb_history *h, const char *subject,
                         const char *candidates, struct plumb_text *complaint)
{
    plumb_text_printf(complaint, "%s: which specification? ", subject);
    list_operations(h, complaint);
    if (*candidates)
        plumb_text_printf(complaint, " may be %s; give --spec\n", candidates);
    else
        plumb_text_add(complaint, " are not operations of one built-in "
                                  "specification; see `plumb list specs`, "
                                  "give --spec\n");
}

static const struct plumb_spec *guess(struct spec_choice *c,
                                      const struct plumb_history *h,
                                      const char *subject,
                                      struct plumb_text *complaint)
{
    struct plumb_text candidates;
    struct plumb_error err;
    plumb_text_init(&candidates, NULL);
    const struct plumb_type *const type = plumb_spec_guess(h, &candidates);
    struct known_spec *const k = type ? know(c, type->name, &err) : NULL;
    if (k)
        add_guess_note(k, h, subject, complaint);
    else
        add_no_guess(h, subject, plumb_text_string(&candidates), complaint);
    plumb_text_release(&candidates);
    return k ? k->spec : NULL;
}

const struct plumb_spec *choose_spec(struct spec_choice *c,
                                     const struct plumb_history *h,
                                     const char *subject,
                                     struct plumb_text *complaint)
{
    if (c->given)
        return c->given;
    if (h->spec)
        return choose_named(c, plumb_symbol_text(h->symbols, h->spec, NULL),
                            subject, complaint);
    return guess(c, h, subject, complaint);
}

void spec_choice_release(struct spec_choice *c)
{
    while (c->known) {
        struct known_spec *const k = c->known;
        c->known = k->next;
        plumb_spec_free(k->spec);
        free(k);
    }
}
