/* written_spec.c - see written_spec.h.
 *
 * Names, terms and texts are the object's, and may hold anything: a string is
 * escaped byte by byte, and what stands in a comment can neither end it nor
 * begin another. */
#include "written_spec.h"

#include "base/fail.h"
#include <inttypes.h>
#include <string.h>

struct writer {
    struct plumb_infer_merged *m;
    const struct plumb_infer_about *about;
    struct plumb_infer_automaton automaton;
    struct plumb_base_text *out;
};

/* ---- characters ---- */

/* Three octal digits end where they end, unlike \x; ?? begins a trigraph. */
static void add_string(struct plumb_base_text *out, const char *text)
{
    plumb_base_text_add(out, "\"");
    for (const char *at = text; *at; at++) {
        const unsigned char c = (unsigned char)*at;
        if (c < ' ' || c > '~')
            plumb_base_text_printf(out, "\\%03o", c);
        else
            plumb_base_text_printf(
                out, c == '"' || c == '\\' || c == '?' ? "\\%c" : "%c", c);
    }
    plumb_base_text_add(out, "\"");
}

static void add_comment(struct plumb_base_text *out, const char *text,
                        size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const char c = text[i], last = i ? text[i - 1] : ' ';
        if ((c == '/' && last == '*') || (c == '*' && last == '/') ||
            (c == '?' && last == '?'))
            plumb_base_text_add(out, " ");
        plumb_base_text_printf(out, "%c", c < ' ' || c > '~' ? '.' : c);
    }
}

/* ---- calls and answers as people write them ---- */

static void show_values(const struct plumb_record_entry *e, unsigned from,
                        unsigned count, struct plumb_base_text *out)
{
    plumb_base_text_add(out, "(");
    for (unsigned i = 0; i < count; i++) {
        const struct plumb_value v = e->value[from + i];
        plumb_base_text_add(out, i ? ", " : "");
        if (v.tag == PLUMB_STR)
            add_string(out, e->text + v.bits);
        else if (v.tag == PLUMB_INT)
            plumb_base_text_printf(out, "%" PRId64, (int64_t)v.bits);
        else
            plumb_base_text_add(out, v.tag == PLUMB_NIL ? "nil"
                                     : v.bits           ? "true"
                                                        : "false");
    }
    plumb_base_text_add(out, ")");
}

static void show_call(const struct writer *w, uint32_t call,
                      struct plumb_base_text *out)
{
    const struct plumb_record_entry *const e = &w->m->calls.entry.at[call];
    plumb_base_text_add(out, w->about->name[e->operation]);
    show_values(e, 0, e->nargs, out);
}

static const char *term_of(const struct plumb_record_entry *e)
{
    return *e->term ? e->term : "ok";
}

static void show_outcome(const struct writer *w,
                         const struct plumb_infer_edge *edge,
                         struct plumb_base_text *out)
{
    const struct plumb_record_entry *const e =
        &w->m->answers.entry.at[edge->answer];
    show_call(w, edge->op, out);
    if (edge->next == PLUMB_INFER_STUCK) {
        plumb_base_text_add(out, " waits");
        return;
    }
    plumb_base_text_printf(out, " = %s", term_of(e));
    if (e->nres)
        show_values(e, e->nargs, e->nres, out);
}

/* ---- tables ---- */

static void write_value(const struct plumb_record_entry *e, unsigned i,
                        struct plumb_base_text *out)
{
    const struct plumb_value v = e->value[i];
    const int64_t number = (int64_t)v.bits;
    switch (v.tag) {
    case PLUMB_STR:
        plumb_base_text_add(out, "    { PLUMB_STR, 0, ");
        add_string(out, e->text + v.bits);
        plumb_base_text_add(out, " },\n");
        break;
    case PLUMB_BOOL:
        plumb_base_text_printf(out, "    { PLUMB_BOOL, %d, NULL },\n",
                               number != 0);
        break;
    case PLUMB_INT:
        if (number == INT64_MIN)
            plumb_base_text_add(out, "    { PLUMB_INT, INT64_MIN, NULL },\n");
        else
            plumb_base_text_printf(
                out, "    { PLUMB_INT, %" PRId64 ", NULL },\n", number);
        break;
    default:
        plumb_base_text_add(out, "    { PLUMB_NIL, 0, NULL },\n");
    }
}

/* The arguments of all calls, then the results of all answers. */
static void write_values(const struct writer *w)
{
    const struct plumb_infer_merged *const m = w->m;
    plumb_base_text_add(w->out,
                        "\n/* The arguments of the calls, and then the results "
                        "of the answers. */\nstatic const struct {\n"
                        "    enum plumb_tag tag;\n    int64_t number;\n"
                        "    const char *text;\n} value[] = {\n");
    for (size_t k = 0; k < m->calls.entry.count; k++)
        for (unsigned i = 0; i < m->calls.entry.at[k].nargs; i++)
            write_value(&m->calls.entry.at[k], i, w->out);
    for (size_t k = 0; k < m->answers.entry.count; k++) {
        const struct plumb_record_entry *const e = &m->answers.entry.at[k];
        for (unsigned i = 0; i < e->nres; i++)
            write_value(e, e->nargs + i, w->out);
    }
    plumb_base_text_add(w->out, "    { PLUMB_NIL, 0, NULL } /* the end */\n"
                                "};\n");
}

static size_t write_calls(const struct writer *w)
{
    const struct plumb_infer_merged *const m = w->m;
    struct plumb_base_text *const out = w->out;
    size_t first = 0;
    plumb_base_text_add(
        out, "\n/* What was called: an operation, so many arguments, from "
             "there on. */\nstatic const struct {\n"
             "    unsigned op, count, first;\n} calls[] = {\n");
    for (size_t k = 0; k < m->calls.entry.count; k++) {
        const struct plumb_record_entry *const e = &m->calls.entry.at[k];
        struct plumb_base_text shown;
        plumb_base_text_init(&shown, m->budget);
        show_call(w, (uint32_t)k, &shown);
        plumb_base_text_printf(
            out, "    { %u, %u, %zu }, /* %zu: ", (unsigned)e->operation,
            (unsigned)e->nargs, first, k);
        add_comment(out, plumb_base_text_string(&shown),
                    strlen(plumb_base_text_string(&shown)));
        plumb_base_text_add(out, " */\n");
        out->broken |= shown.broken;
        plumb_base_text_release(&shown);
        first += e->nargs;
    }
    plumb_base_text_add(out, "};\n");
    return first;
}

static void write_answers(const struct writer *w, size_t first)
{
    const struct plumb_infer_merged *const m = w->m;
    plumb_base_text_add(
        w->out, "\n/* What was answered: a term, so many results, from there "
                "on. */\nstatic const struct {\n    const char *term;\n"
                "    unsigned count, first;\n} answers[] = {\n");
    for (size_t k = 0; k < m->answers.entry.count; k++) {
        const struct plumb_record_entry *const e = &m->answers.entry.at[k];
        plumb_base_text_add(w->out, "    { ");
        add_string(w->out, term_of(e));
        plumb_base_text_printf(w->out, ", %u, %zu }, /* %zu */\n",
                               (unsigned)e->nres, first, k);
        first += e->nres;
    }
    plumb_base_text_add(w->out, "    { NULL, 0, 0 } /* the end */\n};\n");
}

static void write_edge(const struct plumb_infer_edge *e,
                       struct plumb_base_text *out)
{
    plumb_base_text_printf(out, " { %" PRIu32 ", ", e->op);
    if (e->next == PLUMB_INFER_STUCK)
        plumb_base_text_add(out, "WAITS, 0 },");
    else
        plumb_base_text_printf(out, "%" PRIu32 ", %" PRIu32 " },", e->answer,
                               e->next);
}

static void write_edges(const struct writer *w)
{
    enum { EDGES_A_LINE = 4 };
    const struct plumb_infer_automaton *const a = &w->automaton;
    plumb_base_text_add(
        w->out,
        "\n/* Position by position: this call has this answer, or waits for "
        "ever, and then\n * this position follows. */\n"
        "#define WAITS (~0u)\nstatic const struct {\n"
        "    unsigned call, answer, next;\n} edge[] = {");
    for (uint32_t p = 0; p < a->positions; p++)
        for (uint32_t i = a->first[p]; i < a->first[p + 1]; i++) {
            if (i == a->first[p])
                plumb_base_text_printf(w->out, "\n    /* %" PRIu32 " */", p);
            else if ((i - a->first[p]) % EDGES_A_LINE == 0)
                plumb_base_text_add(w->out, "\n       ");
            write_edge(&a->edge[i], w->out);
        }
    plumb_base_text_add(w->out, "\n};\n");
}

static void write_positions(const struct writer *w)
{
    const struct plumb_infer_automaton *const a = &w->automaton;
    plumb_base_text_add(w->out, "\n/* Where the edges of a position begin. */"
                                "\nstatic const unsigned position[] = {");
    for (uint32_t p = 0; p <= a->positions; p++)
        plumb_base_text_printf(w->out, "%s%" PRIu32 ",",
                               p % 10 ? " " : "\n    ", a->first[p]);
    plumb_base_text_add(w->out, "\n};\n");
}

/* ---- the rest ---- */

static void write_head(const struct writer *w)
{
    struct plumb_base_text *const out = w->out;
    const struct plumb_infer_about *const about = w->about;
    plumb_base_text_add(out, "/* What the object ");
    add_comment(out, about->object, strlen(about->object));
    plumb_base_text_printf(
        out,
        " did in serial executions of %u test%s, of at most\n"
        " * %u operation%s: a specification that plumb explore --write-spec "
        "wrote.\n *\n"
        " * A call that no test made after the same calls is unknown, and so "
        "is one with\n"
        " * other arguments.  A verdict that depends on what is unknown is "
        "undecided.\n"
        " * Which thread calls does not matter.\n *\n * Build: ",
        w->m->tests, w->m->tests == 1 ? "" : "s", w->m->longest,
        w->m->longest == 1 ? "" : "s");
    add_comment(out, about->build, strlen(about->build));
    plumb_base_text_add(out, "\n * Tests:\n");
    for (const char *at = about->tests; *at;) {
        const size_t length = strcspn(at, "\n");
        plumb_base_text_add(out, " *     ");
        add_comment(out, at, length);
        plumb_base_text_add(out, "\n");
        at += length + (at[length] == '\n');
    }
    plumb_base_text_add(out, " */\n#include <plumb/history.h>\n"
                             "#include <plumb/spec.h>\n#include <string.h>\n");
}

static void write_operations(const struct writer *w)
{
    struct plumb_base_text name;
    plumb_base_text_add(w->out, "\nstatic const char *const ops[] = {\n");
    for (unsigned i = 0; i < w->about->operations; i++) {
        plumb_base_text_init(&name, w->m->budget);
        plumb_base_text_printf(&name, "%s/%u", w->about->name[i],
                               w->about->arity[i]);
        plumb_base_text_add(w->out, "    ");
        add_string(w->out, plumb_base_text_string(&name));
        plumb_base_text_add(w->out, ",\n");
        w->out->broken |= name.broken;
        plumb_base_text_release(&name);
    }
    plumb_base_text_add(w->out, "    NULL\n};\n");
}

static const char functions[] =
    "\n"
    "static struct plumb_value value_of(unsigned i, const struct plumb_call "
    "*c)\n"
    "{\n"
    "    switch (value[i].tag) {\n"
    "    case PLUMB_STR:\n"
    "        return plumb_str(plumb_symbol_find(c->symbols, value[i].text,\n"
    "                                           strlen(value[i].text)));\n"
    "    case PLUMB_BOOL:\n"
    "        return plumb_bool(value[i].number != 0);\n"
    "    case PLUMB_INT:\n"
    "        return plumb_int(value[i].number);\n"
    "    default:\n"
    "        return plumb_nil();\n"
    "    }\n"
    "}\n"
    "\n"
    "static bool is_made(unsigned call, const struct plumb_call *c)\n"
    "{\n"
    "    if (calls[call].op != c->op || calls[call].count != c->nargs)\n"
    "        return false;\n"
    "    for (unsigned i = 0; i < c->nargs; i++)\n"
    "        if (!plumb_value_equal(value_of(calls[call].first + i, c),\n"
    "                               c->args[i]))\n"
    "            return false;\n"
    "    return true;\n"
    "}\n"
    "\n"
    "/* The state is a position. */\n"
    "static bool step(void *state, const struct plumb_call *c,\n"
    "                 struct plumb_reply *reply)\n"
    "{\n"
    "    unsigned *const at = state;\n"
    "    const unsigned end = position[*at + 1];\n"
    "    unsigned i = position[*at], count = 0;\n"
    "    while (i < end && !is_made(edge[i].call, c))\n"
    "        i++;\n"
    "    while (i + count < end && edge[i + count].call == edge[i].call)\n"
    "        count++;\n"
    "    if (!count)\n"
    "        return plumb_reply_unknown(reply);\n"
    "    i += plumb_call_choose(c, count);\n"
    "    if (edge[i].answer == WAITS)\n"
    "        return false;\n"
    "    const unsigned answer = edge[i].answer;\n"
    "    *at = edge[i].next;\n"
    "    reply->term = answers[answer].term;\n"
    "    for (unsigned k = 0; k < answers[answer].count; k++)\n"
    "        plumb_reply_value(reply, value_of(answers[answer].first + k, "
    "c));\n"
    "    return true;\n"
    "}\n"
    "\n"
    "PLUMB_SPEC(.name = ";

static void write_all(const struct writer *w)
{
    write_head(w);
    write_operations(w);
    write_values(w);
    write_answers(w, write_calls(w));
    write_edges(w);
    write_positions(w);
    plumb_base_text_add(w->out, functions);
    add_string(w->out, *w->about->object ? w->about->object : "object");
    plumb_base_text_add(w->out,
                        ", .state_size = sizeof(unsigned), .ops = ops,\n"
                        "           .step = step);\n");
}

/* ---- what cannot be written ---- */

static enum plumb_status fail_with_conflict(
    const struct writer *w, const struct plumb_infer_conflict *c,
    struct plumb_error *err)
{
    struct plumb_base_text text;
    plumb_base_text_init(&text, w->m->budget);
    for (uint32_t i = 0; i < c->length; i++) {
        plumb_base_text_add(&text, i ? ", " : "after ");
        show_outcome(w, &c->before[i], &text);
    }
    plumb_base_text_add(&text, c->length ? ", " : "");
    show_outcome(w, &c->outcome[0], &text);
    plumb_base_text_add(&text, ", but also ");
    show_outcome(w, &c->outcome[1], &text);
    plumb_base_fail(err, PLUMB_EINPUT, 0, 0,
                    "the answers depend on more than the calls before: %.190s",
                    plumb_base_text_string(&text));
    plumb_base_text_release(&text);
    return PLUMB_EINPUT;
}

enum plumb_status plumb_infer_write_spec(struct plumb_infer_merged *m,
                                         const struct plumb_infer_about *about,
                                         struct plumb_base_text *out,
                                         struct plumb_error *err)
{
    struct writer w = { .m = m, .about = about, .out = out };
    struct plumb_infer_conflict conflict;
    enum plumb_status status =
        plumb_infer_merged_build(m, &w.automaton, &conflict, err);
    if (status != PLUMB_OK)
        return status;
    if (plumb_infer_is_conflict(&conflict))
        status = fail_with_conflict(&w, &conflict, err);
    else
        write_all(&w);
    plumb_infer_release(&w.automaton, m->budget);
    return status == PLUMB_OK && out->broken ? plumb_base_fail_memory(err)
                                             : status;
}
