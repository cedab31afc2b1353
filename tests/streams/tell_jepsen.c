/* tell_jepsen.c - as Jepsen's logs and as operation maps in EDN. */
#include "tell.h"

#include <inttypes.h>
#include <string.h>

/* How a history is written. */
struct style {
    struct manner manner;
    bool edn;
    bool tuples; /* values are [key value] */
    bool tagged; /* ... and say so */
    bool names;  /* of clients, not numbers */
    bool timed, records, lines;
    char open; /* of what the maps are in, or 0 */
};

static const char *function_of(const struct story *s, enum deed deed)
{
    if (s->kind == MAP)
        return deed == WRITE ? "put" : "get";
    return deed == ADD    ? "enqueue"
           : deed == TAKE ? "dequeue"
                          : name_of(s->kind, deed);
}

static const char *type_of(const struct event *e, bool refused)
{
    static const char *const type[] = { "ok", "fail", "info" };
    return e->call ? "invoke" : refused ? "fail" : type[e->outcome];
}

/* ---- values ---- */

static void tell_item(struct plumb_base_text *out, const struct item *v,
                      const struct style *style, struct plumb_base_rng *rng)
{
    if (v->tag == PLUMB_NIL)
        plumb_base_text_add(out, "nil");
    else if (v->tag == PLUMB_BOOL)
        plumb_base_text_add(out, v->number ? "true" : "false");
    else if (v->tag == PLUMB_INT)
        plumb_base_text_printf(out, "%" PRId64, v->number);
    else if (is_word(v->text) && chance(rng, 30))
        plumb_base_text_printf(out, ":%s", v->text);
    else if (is_word(v->text) && style->edn && chance(rng, 10))
        plumb_base_text_printf(out, "#tag \"%s\"", v->text);
    else
        tell_string(out, v->text);
}

static const struct item nil = { .tag = PLUMB_NIL };
static const struct item any = { .tag = PLUMB_INT, .number = 7 };

/* The value, without its key: a call's arguments, a response's answer. */
static void tell_plain(struct plumb_base_text *out, const struct story *s,
                       const struct event *e, const struct style *style,
                       struct plumb_base_rng *rng)
{
    const struct item *v = e->nargs ? e->arg : &nil;
    if (e->deed == CAS) {
        plumb_base_text_add(out, "[");
        tell_item(out, e->arg, style, rng);
        plumb_base_text_add(out, " ");
        tell_item(out, e->arg + 1, style, rng);
        plumb_base_text_add(out, "]");
        return;
    }
    if (e->answers)
        v = &e->answer;
    else if (e->call && e->deed == READ && s->kind == REGISTER &&
             !style->tuples && chance(rng, 30))
        v = &any; /* says nothing */
    else if (e->empty && chance(rng, 30)) {
        plumb_base_text_add(out, ":empty");
        return;
    }
    if (s->kind == MAP && e->deed == READ && !e->call && v->tag == PLUMB_NIL)
        plumb_base_text_add(out, "\"\"");
    else
        tell_item(out, v, style, rng);
}

static void tell_value(struct plumb_base_text *out, const struct story *s,
                       const struct event *e, const struct style *style,
                       struct plumb_base_rng *rng)
{
    if (!style->tuples) {
        tell_plain(out, s, e, style, rng);
        return;
    }
    plumb_base_text_printf(out, "%s[%u ",
                           style->tagged ? "#jepsen.independent/tuple " : "",
                           e->object);
    tell_plain(out, s, e, style, rng);
    plumb_base_text_add(out, "]");
}

/* ---- log lines ---- */

static void tell_chatter(struct plumb_base_text *out, const struct style *style,
                         struct plumb_base_rng *rng)
{
    static const char *const line[] = {
        "INFO  jepsen.util - :nemesis\t:info\t:start\t\"cut [",
        "INFO  jepsen.core - Worker 3 starting", "",
        "WARN jepsen.core - Process 2 crashed {:a (1)}"
    };
    plumb_base_text_printf(out, "%s%s", line[plumb_base_rng_below(rng, 4)],
                           style->manner.newline);
}

void tell_jepsen(const struct story *s, struct plumb_base_rng *rng,
                 struct plumb_base_text *out)
{
    const struct style style = { .manner = any_manner(rng),
                                 .tuples = s->objects > 1 };
    const bool prefix = chance(rng, 70);
    begin_text(&style.manner, out);
    for (unsigned i = 0; i < s->count; i++) {
        const struct event *const e = s->event + i;
        const bool refused =
            !e->call && e->deed == CAS && e->answers && !e->answer.number;
        if (chance(rng, 5))
            tell_chatter(out, &style, rng);
        plumb_base_text_printf(out, "%s%u\t:%s\t:%s\t",
                               prefix ? "INFO  jepsen.util - " : "", e->process,
                               type_of(e, refused), function_of(s, e->deed));
        if (!e->call && !refused && e->outcome != PLUMB_OUTCOME_OK)
            plumb_base_text_add(out, ":timed-out");
        else
            tell_value(out, s, e, &style, rng);
        plumb_base_text_add(out, style.manner.newline);
    }
    end_text(&style.manner, out);
}

/* ---- maps ---- */

static void tell_gap(struct plumb_base_text *out, const struct style *style,
                     struct plumb_base_rng *rng)
{
    static const char *const gap[] = {
        "\n",           " ; } so \"\n",
        "\r\n  ",       " #_ {:process 1} ",
        " #_#_ 1 [2] ", "\n;; {:process 0, :type\n"
    };
    plumb_base_text_add(out, style->lines && chance(rng, 20)
                                 ? gap[plumb_base_rng_below(rng, 6)]
                                 : " ");
}

static void tell_nemesis(struct plumb_base_text *out,
                         struct plumb_base_rng *rng)
{
    static const char *const map[] = {
        "{:process :nemesis, :type :info, :f :start, :value {:a #{1 \"}\"}}}",
        "{:type :info, :process :nemesis, :f :kill, :value [:n1 :n2]}",
        "{:process :observer :type :info :f :look}"
    };
    plumb_base_text_add(out, map[plumb_base_rng_below(rng, 3)]);
}

static void tell_process(struct plumb_base_text *out, const struct event *e,
                         const struct style *style)
{
    plumb_base_text_printf(out, style->names ? ":process :c%u" : ":process %u",
                           e->process);
}

static void tell_map(struct plumb_base_text *out, const struct story *s,
                     unsigned i, const struct style *style,
                     struct plumb_base_rng *rng)
{
    const struct event *const e = s->event + i;
    const char *const comma = chance(rng, 50) ? "," : "";
    const bool refused =
        !e->call && e->deed == CAS && e->answers && !e->answer.number;
    plumb_base_text_add(out, style->records ? "#jepsen.history.Op{" : "{");
    tell_process(out, e, style);
    plumb_base_text_printf(out, "%s :type :%s%s", comma, type_of(e, refused),
                           comma);
    tell_gap(out, style, rng);
    plumb_base_text_printf(out, ":f :%s%s", function_of(s, e->deed), comma);
    if (s->kind == MAP)
        plumb_base_text_printf(out, " :key \"k%u\"%s", e->object, comma);
    plumb_base_text_add(out, " :value ");
    if (!e->call && e->outcome != PLUMB_OUTCOME_OK)
        plumb_base_text_add(out, ":timeout");
    else
        tell_value(out, s, e, style, rng);
    if (style->timed)
        plumb_base_text_printf(out, "%s :time %u, :index %u", comma, i / 3, i);
    plumb_base_text_add(out, "}");
}

static struct style any_style(const struct story *s, struct plumb_base_rng *rng)
{
    return (struct style){ .edn = true,
                           .manner = any_manner(rng),
                           .tuples = s->kind != MAP && s->objects > 1,
                           .tagged = s->kind != REGISTER || chance(rng, 30),
                           .names = chance(rng, 10),
                           .timed = chance(rng, 40),
                           .records = chance(rng, 20),
                           .lines = chance(rng, 50),
                           .open = "\0[(["[plumb_base_rng_below(rng, 4)] };
}

void tell_edn(const struct story *s, struct plumb_base_rng *rng,
              struct plumb_base_text *out)
{
    const struct style style = any_style(s, rng);
    const bool flat = chance(rng, 20); /* all on one line */
    begin_text(&style.manner, out);
    if (style.open)
        plumb_base_text_printf(out, "%c", style.open);
    for (unsigned i = 0; i < s->count; i++) {
        if (chance(rng, 5)) {
            tell_nemesis(out, rng);
            tell_gap(out, &style, rng);
        }
        tell_map(out, s, i, &style, rng);
        tell_gap(out, &style, rng);
        plumb_base_text_add(out, flat ? "" : style.manner.newline);
    }
    if (style.open)
        plumb_base_text_printf(out, "%c", style.open == '[' ? ']' : ')');
    plumb_base_text_add(out, style.manner.newline);
    end_text(&style.manner, out);
}
