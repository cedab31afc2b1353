/* random_process.h - small models at random.
 *
 * Few variables with few values, so that graphs are finite; a definition refers
 * to others only at the end of a row of events, so that nothing grows. */
#ifndef TESTS_RANDOM_PROCESS_H
#define TESTS_RANDOM_PROCESS_H

#include "base/rng.h"
#include "base/text.h"

enum { DEFINITIONS = 3 };

struct writer {
    struct plumb_base_rng rng;
    struct plumb_base_text *out;
    bool several;  /* operators of several threads may be used  */
    bool channels; /* and channels, copies, atomic              */
};

static inline uint32_t pick(struct writer *w, uint32_t below)
{
    return plumb_base_rng_below(&w->rng, below);
}

/* Of the shared x and y, or of L[i], which is the process's own. */
static inline void write_condition(struct writer *w)
{
    static const char *const some[] = { "x == 0",   "x != y", "L[i] == 0",
                                        "L[i] > 0", "y == 1", "L[i] == x" };
    plumb_base_text_add(w->out, some[pick(w, 6)]);
}

static inline void write_program(struct writer *w)
{
    static const char *const some[] = {
        "x = (x + 1) % 2;", "y = x;",    "L[i] = (L[i] + 1) % 2;", "L[i] = x;",
        "L[i] = 0;",        "y = L[i];", "L[i] = 1 - L[i];",
    };
    plumb_base_text_printf(w->out, "{%s}", some[pick(w, 7)]);
}

static inline void write_event(struct writer *w)
{
    static const char *const some[] = { "a",   "b",      "h",  "a.x",
                                        "s.1", "b.L[i]", "s.i" };
    static const char *const messages[] = { "c!x",      "c?v",
                                            "m!L[i]",   "m?v",
                                            "m?1",      "c?[v == x]v",
                                            "n[i]!1.x", "n[x]?1.v" };
    if (w->channels && pick(w, 3)) {
        plumb_base_text_add(w->out, messages[pick(w, 8)]);
        if (!pick(w, 3))
            write_program(w);
        return;
    }
    if (pick(w, 2)) {
        plumb_base_text_add(w->out, "tau");
        write_program(w);
        return;
    }
    plumb_base_text_add(w->out, some[pick(w, 7)]);
    if (!pick(w, 4))
        write_program(w);
}

static inline void write_end(struct writer *w, bool last)
{
    /* D(x) looks at x when it is there, and at L[x] from then on. */
    if (last && pick(w, 3))
        plumb_base_text_printf(w->out, "D%u(%s)",
                               (unsigned)pick(w, DEFINITIONS),
                               pick(w, 8) ? "i" : "x");
    else
        plumb_base_text_add(w->out, pick(w, 3) ? "Skip" : "Stop");
}

static inline void write_process(struct writer *w, int depth, bool last);

static inline void write_two(struct writer *w, const char *between, int depth,
                             bool first_last, bool second_last)
{
    plumb_base_text_add(w->out, "(");
    write_process(w, depth, first_last);
    plumb_base_text_add(w->out, between);
    write_process(w, depth, second_last);
    plumb_base_text_add(w->out, ")");
}

static inline void write_if(struct writer *w, const char *word, int depth,
                            bool last, bool has_else)
{
    plumb_base_text_printf(w->out, "%s (", word);
    write_condition(w);
    plumb_base_text_add(w->out, ") { ");
    write_process(w, depth, last);
    plumb_base_text_add(w->out, " }");
    if (!has_else)
        return;
    plumb_base_text_add(w->out, " else { ");
    write_process(w, depth, last);
    plumb_base_text_add(w->out, " }");
}

static inline void write_case(struct writer *w, int depth, bool last)
{
    plumb_base_text_add(w->out, "case { ");
    for (int i = 0; i < 2; i++) {
        write_condition(w);
        plumb_base_text_add(w->out, ": ");
        write_process(w, depth, last);
        plumb_base_text_add(w->out, " ");
    }
    plumb_base_text_add(w->out, "default: ");
    write_process(w, depth, last);
    plumb_base_text_add(w->out, " }");
}

static inline void write_several(struct writer *w, int depth)
{
    static const char *const between[] = { " ||| ", " || ", " [*] ",
                                           " interrupt " };
    const uint32_t n = pick(w, w->channels ? 7 : 5);
    if (n < 4) {
        write_two(w, between[n], depth, false, false);
        return;
    }
    if (n > 4) {
        plumb_base_text_add(w->out, n == 5 ? "(|||{2} @ (" : "(atomic{(");
        write_process(w, depth, false);
        plumb_base_text_add(w->out, n == 5 ? "))" : ")})");
        return;
    }
    plumb_base_text_add(w->out, "((");
    write_process(w, depth, false);
    plumb_base_text_add(w->out, ") \\ {a, h})");
}

/* `last`: what comes here is the end of a definition.  All begin with an
 * event, but for the conditions before it. */
static inline void write_process(struct writer *w, int depth, bool last)
{
    if (depth == 0) {
        write_event(w);
        plumb_base_text_add(w->out, " -> ");
        write_end(w, last);
        return;
    }
    switch (pick(w, w->several ? 13 : 9)) {
    case 0:
        write_two(w, " [] ", depth - 1, last, last);
        break;
    case 1:
        write_two(w, " <> ", depth - 1, last, last);
        break;
    case 2:
        write_two(w, "; ", depth - 1, false, last);
        break;
    case 3:
        write_if(w, "if", depth - 1, last, true);
        break;
    case 4:
        write_if(w, "ifa", depth - 1, last, true);
        break;
    case 5:
        write_if(w, "ifb", depth - 1, last, false);
        break;
    case 6:
        write_case(w, depth - 1, last);
        break;
    case 7:
        plumb_base_text_add(w->out, "([");
        write_condition(w);
        plumb_base_text_add(w->out, "] ");
        write_process(w, depth - 1, last);
        plumb_base_text_add(w->out, ")");
        break;
    case 8:
        write_event(w);
        plumb_base_text_add(w->out, " -> ");
        write_process(w, depth - 1, last);
        break;
    default:
        write_several(w, depth - 1);
        break;
    }
}

/* `top` stands between the components: " ||| " or " || ". */
static inline void write_model(struct writer *w, int depth, const char *top)
{
    plumb_base_text_add(w->out, "var x; var y; var L[3];\n"
                                "channel c 1; channel m 0; channel n[3] 1;\n");
    for (int d = 0; d < DEFINITIONS; d++) {
        plumb_base_text_printf(w->out, "D%d(i) = ", d);
        write_process(w, depth, true);
        plumb_base_text_add(w->out, ";\n");
    }
    plumb_base_text_add(w->out, "P() = (");
    for (uint32_t i = 0, n = 2 + pick(w, 2); i < n; i++)
        plumb_base_text_printf(w->out, "%sD%u(%u)", i ? top : "",
                               (unsigned)pick(w, DEFINITIONS), (unsigned)i);
    plumb_base_text_add(w->out, ") \\ {h, s.1};\n"
                                "Q() = Skip; P();\n"
                                "#assert P() deadlockfree;\n"
                                "#assert Q() deadlockfree;\n");
}

#endif
