/* choose_spec.c - by which specification is a history to be judged? */
#include "choose_spec.h"

#include "base/fail.h"
#include "report/label.h"
#include "spec/spec.h"
#include <stdlib.h>
#include <string.h>

enum { NAMES_SHOWN = 4 };

struct objects_known_spec {
    struct objects_known_spec *next;
    struct plumb_spec *spec;
    bool noted; /* that it was guessed */
    char text[];
};

static struct objects_known_spec *find(const struct objects_spec_choice *c,
                                       const char *text)
{
    struct objects_known_spec *k = c->known;
    while (k && strcmp(k->text, text) != 0)
        k = k->next;
    return k;
}

static enum plumb_status fail_foreign(const char *text, struct plumb_error *err)
{
    return plumb_base_fail(err, PLUMB_EINPUT, 0, 0,
                           "give --spec: the specification named in the file, "
                           "%.100s, is not built in",
                           text);
}

static enum plumb_status parse(const struct objects_spec_choice *c,
                               const char *text, struct plumb_spec **spec,
                               struct plumb_error *err)
{
    struct plumb_error why;
    if (plumb_spec_parse(text, spec, &why) != PLUMB_OK)
        return fail_foreign(text, err);
    const enum plumb_status status =
        c->quasi.given ? objects_relax_spec(spec, c->quasi.k, err) : PLUMB_OK;
    if (status != PLUMB_OK)
        plumb_spec_free(*spec);
    return status;
}

static struct objects_known_spec *know(struct objects_spec_choice *c,
                                       const char *text,
                                       struct plumb_error *err)
{
    struct objects_known_spec *k = find(c, text);
    if (k)
        return k;
    const size_t size = strlen(text) + 1;
    k = calloc(1, sizeof *k + size);
    if (!k || parse(c, text, &k->spec, err) != PLUMB_OK) {
        if (!k)
            plumb_base_fail_memory(err);
        free(k);
        return NULL;
    }
    memcpy(k->text, text, size);
    k->next = c->known;
    c->known = k;
    return k;
}

const struct plumb_spec *objects_choose_spec_by_text(
    struct objects_spec_choice *c, const char *text, struct plumb_error *err)
{
    const struct objects_known_spec *const k = know(c, text, err);
    return k ? k->spec : NULL;
}

/* "enq, deq": the operations in the order they first occur. */
static void list_operations(const struct plumb_history *h,
                            struct plumb_base_text *out)
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
            plumb_base_text_add(out, ", ...");
            return;
        }
        seen[count++] = name;
        plumb_base_text_add(out, count > 1 ? ", " : "");
        plumb_report_label_line(plumb_symbol_text(h->symbols, name, NULL), out);
    }
}

static void add_guess_note(struct objects_known_spec *k,
                           const struct plumb_history *h, const char *subject,
                           struct plumb_base_text *notes)
{
    if (k->noted)
        return;
    k->noted = true;
    plumb_base_text_add(notes, "note: ");
    plumb_report_label_line(subject, notes);
    plumb_base_text_add(notes, ": --spec not given; ");
    list_operations(h, notes);
    plumb_base_text_printf(notes, " suggest%s %s\n", h->count == 1 ? "s" : "",
                           k->text);
}

/* The first operation of that name, or NULL. */
static const struct plumb_op *first_called(const struct plumb_history *h,
                                           const char *name)
{
    const uint32_t symbol = plumb_symbol_find(h->symbols, name, strlen(name));
    for (uint32_t i = 0; symbol != UINT32_MAX && i < h->count; i++)
        if (h->op[i].name == symbol)
            return h->op + i;
    return NULL;
}

/* Jepsen's :txn, of reads and writes of registers, or of appends to lists. */
static const char *kind_of_transaction(const struct plumb_history *h)
{
    static const char append[] = "[:append ";
    const struct plumb_op *const txn = first_called(h, "txn");
    const struct plumb_value *const args = txn ? plumb_op_args(h, txn) : NULL;
    for (unsigned i = 0; txn && i < txn->nargs; i++)
        if (args[i].tag == PLUMB_STR &&
            strncmp(plumb_symbol_text(h->symbols, (uint32_t)args[i].bits, NULL),
                    append, sizeof append - 1) == 0)
            return "list-append";
    return txn ? "reads and writes" : NULL;
}

static void fail_to_guess(const struct plumb_history *h, const char *candidates,
                          struct plumb_error *err)
{
    struct plumb_base_text names = { 0 };
    const char *const transactions = kind_of_transaction(h);
    list_operations(h, &names);
    if (transactions)
        plumb_base_fail(err, PLUMB_EINPUT, 0, 0,
                        "txn is a transaction (%s); no built-in specification "
                        "has transactions. Elle decides their isolation",
                        transactions);
    else if (*candidates)
        plumb_base_fail(err, PLUMB_EINPUT, 0, 0,
                        "give --spec: %.100s may belong to %.100s",
                        plumb_base_text_string(&names), candidates);
    else
        plumb_base_fail(
            err, PLUMB_EINPUT, 0, 0,
            "give --spec: no built-in specification has all of %.100s "
            "(see `plumb list specs`)",
            plumb_base_text_string(&names));
    plumb_base_text_release(&names);
}

static const struct plumb_spec *guess(struct objects_spec_choice *c,
                                      const struct plumb_history *h,
                                      const char *subject,
                                      struct plumb_base_text *notes,
                                      struct plumb_error *err)
{
    struct plumb_base_text candidates = { 0 };
    const struct plumb_spec_type *const type = plumb_spec_guess(h, &candidates);
    struct objects_known_spec *const k = type ? know(c, type->name, err) : NULL;
    if (k && !c->quiet)
        add_guess_note(k, h, subject, notes);
    if (!type)
        fail_to_guess(h, plumb_base_text_string(&candidates), err);
    plumb_base_text_release(&candidates);
    return k ? k->spec : NULL;
}

bool objects_any_spec_will_do(const struct objects_spec_choice *c,
                              const struct plumb_history *h)
{
    return !c->given && !h->spec && !h->count;
}

static void note_empty(const struct objects_spec_choice *c, const char *subject,
                       struct plumb_base_text *notes)
{
    if (c->quiet)
        return;
    plumb_base_text_add(notes, "note: ");
    plumb_report_label_line(subject, notes);
    plumb_base_text_add(notes, ": this history has no operations\n");
}

const struct plumb_spec *objects_choose_spec(struct objects_spec_choice *c,
                                             const struct plumb_history *h,
                                             const char *subject,
                                             struct plumb_base_text *notes,
                                             struct plumb_error *err)
{
    if (!h->count)
        note_empty(c, subject, notes);
    if (c->given)
        return c->given;
    if (objects_any_spec_will_do(c, h))
        return objects_choose_spec_by_text(c, "register", err);
    if (h->spec)
        return objects_choose_spec_by_text(
            c, plumb_symbol_text(h->symbols, h->spec, NULL), err);
    return guess(c, h, subject, notes, err);
}

static bool takes(const void *spec, const char *name, size_t length,
                  size_t nargs)
{
    return plumb_spec_takes(spec, name, length, nargs);
}

struct plumb_signature objects_signature_of(const struct plumb_spec *spec)
{
    return (struct plumb_signature){ spec ? takes : NULL, spec };
}

void objects_spec_choice_release(struct objects_spec_choice *c)
{
    while (c->known) {
        struct objects_known_spec *const k = c->known;
        c->known = k->next;
        plumb_spec_free(k->spec);
        free(k);
    }
}
