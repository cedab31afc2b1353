/* list_command.c - plumb list: the specifications, formats, objects and models
 * there are. */
#include "app/console/files.h"
#include "app/console/options.h"
#include "app/console/paragraph.h"
#include "app/console/say.h"
#include "app/console/suggest.h"
#include "app/verify/list_models.h"
#include "cli.h"
#include "history/reader.h"
#include "spec/event_names.h"
#include "spec/spec.h"
#include <stdio.h>
#include <string.h>

struct list_settings {
    const char *family;
};
#define SETTINGS struct list_settings

static const struct console_option rows[] = {
    { "family", 'f', IN_TEXT(family), "FAMILY",
      .help = "list only the objects of one family, such as queue" },
    OPTIONS_END
};

/* ---- specifications ---- */

enum { INDENT = 4 };

/* The proper name of an operation. */
static int name_length(const char *names)
{
    return (int)strcspn(names, " ,|/");
}

/* n is an integer, k a key with its value v, x and y anything. */
static char argument_letter(const struct plumb_spec_opdef *op, const char *a)
{
    const bool first = a == op->args;
    if (*a == 'i')
        return 'n';
    if (op->key == 0 && strlen(op->args) > 1)
        return first ? 'k' : 'v';
    return first ? 'x' : 'y';
}

static void show_operation(struct console_paragraph *p,
                           const struct plumb_spec_opdef *op)
{
    char word[96];
    size_t used = (size_t)snprintf(word, sizeof word, "%.*s(",
                                   name_length(op->names), op->names);
    for (const char *a = op->args; *a && used + 4 < sizeof word; a++)
        used +=
            (size_t)snprintf(word + used, sizeof word - used, "%s%c",
                             a > op->args ? "," : "", argument_letter(op, a));
    snprintf(word + used, sizeof word - used, ")");
    console_paragraph_word(p, word);
}

/* "=N"; "[=gap]" if the value may be left out. */
static const char *value_of(const struct plumb_spec_param *p)
{
    switch (p->kind) {
    case PLUMB_PARAM_FLAG:
        return "";
    case PLUMB_PARAM_VALUE:
        return "=VALUE";
    case PLUMB_PARAM_WORD:
        return p->words[p->initial] ? "[=KIND]" : "=KIND";
    default:
        return "=N";
    }
}

static void show_parameter(const struct plumb_spec_param *p)
{
    char text[32];
    snprintf(text, sizeof text, "%s%s", p->name, value_of(p));
    printf("%*s:%-11s %s", INDENT, "", text, p->what);
    const char *before = ": ";
    for (unsigned i = 0; i < p->nwords; i++)
        if (p->words[i]) {
            printf("%s%s", before, p->words[i]);
            before = ", ";
        }
    printf("\n");
}

/* What client i answers in a model, of the operations' proper names. */
static void show_events(const struct plumb_spec_type *t)
{
    struct console_paragraph p = { .indent = INDENT };
    console_paragraph_word(&p, "in models:");
    for (unsigned i = 0; i < t->nops; i++) {
        struct plumb_spec_row row;
        plumb_spec_row_read(t->ops + i, &row);
        for (unsigned k = 0; k < PLUMB_TERMS; k++) {
            struct plumb_base_text event;
            if (!row.answer[k].present)
                continue;
            plumb_base_text_init(&event, NULL);
            plumb_spec_answer_event(&row, k, t->ops[i].names,
                                    (size_t)name_length(t->ops[i].names), "i",
                                    &event);
            console_paragraph_word(&p, plumb_base_text_string(&event));
            plumb_base_text_release(&event);
        }
    }
    console_paragraph_end(&p);
}

static void show_spec(const struct plumb_spec_type *t, bool first)
{
    struct console_paragraph p = { .indent = INDENT };
    printf("%s%s: %s\n", first ? "" : "\n", t->name, t->what);
    for (unsigned i = 0; i < t->nops; i++)
        show_operation(&p, t->ops + i);
    console_paragraph_end(&p);
    if (!t->stepwise && !t->by_thread)
        show_events(t);
    for (unsigned i = 0; i < t->nparams; i++)
        show_parameter(t->params + i);
}

static const struct plumb_spec_type *find_spec(const char *name)
{
    for (const struct plumb_spec_type *const *t = plumb_spec_types; *t; t++)
        if (strcmp((*t)->name, name) == 0)
            return *t;
    return NULL;
}

static bool spec_is_unknown(const char *name)
{
    struct console_suggestion s;
    console_suggestion_begin(&s, name);
    for (const struct plumb_spec_type *const *t = plumb_spec_types; *t; t++)
        console_suggestion_offer(&s, (*t)->name);
    const char *const near = console_suggestion_end(&s);
    return near ? console_fails("plumb list: unknown specification `%s`; did "
                                "you mean `%s`?",
                                name, near)
                : console_fails("plumb list: unknown specification `%s`; "
                                "`plumb list specs` lists them",
                                name);
}

/* Those that are named, or all. */
static bool list_specs(const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!find_spec(names[i]))
            return spec_is_unknown(names[i]);
    for (size_t i = 0; i < count; i++)
        show_spec(find_spec(names[i]), i == 0);
    for (const struct plumb_spec_type *const *t = plumb_spec_types;
         *t && count == 0; t++)
        show_spec(*t, t == plumb_spec_types);
    return true;
}

/* ---- formats ---- */

static void list_formats(void)
{
    for (size_t i = 0; console_file_formats[i]; i++) {
        const struct plumb_history_format_class *const c =
            console_file_formats[i];
        printf("%-9s  %-10s  %s\n", c->name, c->write ? "read,write" : "read",
               c->what);
    }
}

/* ---- what to list ---- */

static bool list_by_name(const struct console_options *o, const char *family)
{
    const char *const what = o->args[0];
    const bool objects = strcmp(what, "objects") == 0;
    if (family && (!objects || o->nargs > 1))
        return console_usage_fails(
            o, "--family goes with `plumb list objects` alone");
    if (objects && o->nargs > 1)
        return cli_show_objects(o->args + 1, o->nargs - 1);
    if (strcmp(what, "specs") == 0)
        return list_specs(o->args + 1, o->nargs - 1);
    if (o->nargs > 1)
        return console_usage_fails(
            o, "%s: only specifications and objects can be named", o->args[1]);
    if (objects)
        return cli_list_objects(family);
    if (strcmp(what, "models") == 0)
        return verify_list_models();
    if (strcmp(what, "formats") == 0)
        list_formats();
    else
        return console_usage_fails(
            o, "cannot list %s; give specs, formats, objects or models", what);
    return true;
}

static enum console_status list(const struct console_options *o, void *settings)
{
    const struct list_settings *const s = settings;
    const bool listed =
        o->nargs
            ? list_by_name(o, s->family)
            : console_usage_fails(o, "give specs, formats, objects or models");
    return listed ? STATUS_HOLDS : STATUS_ERROR;
}

const struct console_command cli_list = {
    .name = "list",
    .summary = "show the specifications, formats, objects and models",
    .arguments = "specs|formats|objects|models [NAME...] [options]",
    .about = "Show the built-in specifications with their operations and "
             "parameters, the file formats, the object library, or the models "
             "for `plumb verify`.",
    .examples = "  plumb list specs\n"
                "  plumb list specs queue\n"
                "  plumb list objects --family queue\n"
                "  plumb list objects michael-scott\n",
    .status = "  0  listed\n"
              "  2  error\n",
    .options = rows,
    .words = WORDS("specs", "formats", "objects", "models"),
    .settings = sizeof(SETTINGS),
    .run = list,
};
