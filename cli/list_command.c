/* list_command.c - plumb list: the specifications, formats, objects and models
 * there are. */
#include "app/console/files.h"
#include "app/console/options.h"
#include "app/console/paragraph.h"
#include "app/verify/list_models.h"
#include "cli.h"
#include "history/reader.h"
#include "list_objects.h"
#include "spec/spec.h"
#include <stdio.h>
#include <string.h>

enum { FAMILY = OPTION_HELP + 1 };

static const struct poptOption table[] = {
    { "family", 'f', POPT_ARG_STRING, NULL, FAMILY,
      "of the objects, only those of this family", "FAMILY" },
    OPTIONS_END
};

void cli_list_help(void)
{
    console_print_options("plumb list",
                          "specs|formats|objects|models [NAME...]", table);
    fputs("\n  plumb list specs          specifications: operations, "
          "parameters\n"
          "  plumb list formats        file formats: which are read, which "
          "written\n"
          "  plumb list objects        the object library: what to expect of "
          "each\n"
          "  plumb list objects NAME   everything about one\n"
          "  plumb list models         models for plumb verify, by name\n"
          "\nExit status: 0, or 2 for an error.\n",
          stdout);
}

static bool take(struct console_options *o, void *context, int code,
                 const char *value)
{
    const char **const family = context;
    (void)o, (void)code; /* there is only one */
    *family = value;
    return true;
}

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

static void show_parameter(const struct plumb_spec_param *p)
{
    char text[32];
    snprintf(text, sizeof text, "%s%s", p->name,
             p->kind == PLUMB_PARAM_FLAG    ? ""
             : p->kind == PLUMB_PARAM_VALUE ? "=VALUE"
                                            : "=N");
    printf("%*s:%-11s %s\n", INDENT, "", text, p->what);
}

static void list_specs(void)
{
    for (const struct plumb_spec_type *const *t = plumb_spec_types; *t; t++) {
        struct console_paragraph p = { .indent = INDENT };
        printf("%s%s: %s\n", t == plumb_spec_types ? "" : "\n", (*t)->name,
               (*t)->what);
        for (unsigned i = 0; i < (*t)->nops; i++)
            show_operation(&p, (*t)->ops + i);
        console_paragraph_end(&p);
        for (unsigned i = 0; i < (*t)->nparams; i++)
            show_parameter((*t)->params + i);
    }
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
        return console_usage_fails(o, "--family is for `plumb list objects`");
    if (objects && o->nargs > 1)
        return cli_show_objects(o->args + 1, o->nargs - 1);
    if (o->nargs > 1)
        return console_usage_fails(o, "one thing at a time, not %s as well",
                                   o->args[1]);
    if (objects)
        return cli_list_objects(family);
    if (strcmp(what, "models") == 0)
        return verify_list_models();
    if (strcmp(what, "specs") == 0)
        list_specs();
    else if (strcmp(what, "formats") == 0)
        list_formats();
    else
        return console_usage_fails(
            o,
            "cannot list %s; specs, formats, objects or models can be listed",
            what);
    return true;
}

static bool list(const struct console_options *o, const char *family)
{
    if (o->nargs == 0)
        return console_usage_fails(
            o, "say what to list: specs, formats, objects or models");
    return list_by_name(o, family);
}

enum console_status cli_list_command(int argc, const char **argv)
{
    struct console_options o = { .command = "plumb list", .table = table };
    const char *family = NULL;
    enum console_status status = STATUS_ERROR;
    if (console_read_options(&o, argc, argv, take, &family)) {
        if (o.help)
            cli_list_help();
        if (o.help || list(&o, family))
            status = STATUS_HOLDS;
    }
    console_release_options(&o);
    return status;
}
