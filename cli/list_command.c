/* list_command.c - plumb list: the specifications and formats there are. */
#include "cli.h"
#include "files.h"
#include "history/reader.h"
#include "options.h"
#include "spec/spec.h"
#include <stdio.h>
#include <string.h>

static const struct poptOption table[] = { OPTIONS_END };

void list_help(void)
{
    print_options("plumb list", "specs|formats", table);
    fputs("\n  plumb list specs     specifications: operations, parameters\n"
          "  plumb list formats   file formats: which are read, which written\n"
          "\nExit status: 0, or 2 for an error.\n",
          stdout);
}

static bool take(struct options *o, void *context, int code, const char *value)
{
    (void)o, (void)context, (void)code, (void)value;
    return true; /* there is no option but --help */
}

/* ---- specifications ---- */

enum { WIDTH = 78, INDENT = 4 };

/* Words, broken into lines. */
struct paragraph {
    size_t column;
};

static void add_word(struct paragraph *p, const char *word)
{
    if (p->column > 0 && p->column + 1 + strlen(word) > WIDTH) {
        putchar('\n');
        p->column = 0;
    }
    if (p->column == 0)
        p->column = (size_t)printf("%*s%s", INDENT, "", word);
    else
        p->column += (size_t)printf(" %s", word);
}

static void end_paragraph(const struct paragraph *p)
{
    if (p->column > 0)
        putchar('\n');
}

/* The proper name of an operation. */
static int name_length(const char *names)
{
    return (int)strcspn(names, " ,|/");
}

/* n is an integer, k a key with its value v, x and y anything. */
static char argument_letter(const struct plumb_opdef *op, const char *a)
{
    const bool first = a == op->args;
    if (*a == 'i')
        return 'n';
    if (op->key == 0 && strlen(op->args) > 1)
        return first ? 'k' : 'v';
    return first ? 'x' : 'y';
}

static void show_operation(struct paragraph *p, const struct plumb_opdef *op)
{
    char word[96];
    size_t used = (size_t)snprintf(word, sizeof word, "%.*s(",
                                   name_length(op->names), op->names);
    for (const char *a = op->args; *a && used + 4 < sizeof word; a++)
        used +=
            (size_t)snprintf(word + used, sizeof word - used, "%s%c",
                             a > op->args ? "," : "", argument_letter(op, a));
    snprintf(word + used, sizeof word - used, ")");
    add_word(p, word);
}

static void show_parameter(const struct plumb_param *p)
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
    for (const struct plumb_type *const *t = plumb_types; *t; t++) {
        struct paragraph p = { 0 };
        printf("%s%s: %s\n", t == plumb_types ? "" : "\n", (*t)->name,
               (*t)->what);
        for (unsigned i = 0; i < (*t)->nops; i++)
            show_operation(&p, (*t)->ops + i);
        end_paragraph(&p);
        for (unsigned i = 0; i < (*t)->nparams; i++)
            show_parameter((*t)->params + i);
    }
}

/* ---- formats ---- */

static void list_formats(void)
{
    for (size_t i = 0; file_formats[i]; i++) {
        const struct plumb_format_class *const c = file_formats[i];
        printf("%-8s  %-10s  %s\n", c->name, c->write ? "read,write" : "read",
               c->what);
    }
}

static bool list(const struct options *o)
{
    if (o->nargs != 1)
        return usage_fails(o, "say what to list: specs or formats");
    if (strcmp(o->args[0], "specs") == 0)
        list_specs();
    else if (strcmp(o->args[0], "formats") == 0)
        list_formats();
    else
        return usage_fails(o, "cannot list %s; specs or formats can be listed",
                           o->args[0]);
    return true;
}

enum exit_status list_command(int argc, const char **argv)
{
    struct options o = { .command = "plumb list", .table = table };
    enum exit_status status = STATUS_ERROR;
    if (read_options(&o, argc, argv, take, NULL)) {
        if (o.help)
            list_help();
        if (o.help || list(&o))
            status = STATUS_HOLDS;
    }
    release_options(&o);
    return status;
}
