/* ltl_parse.c - temporal formulas from text.
 *
 * From loosest to tightest:  <->  ->  ||  &&  xor  U V R  and the unary
 * ! [] <> X.  -> and U V R group to the right, the others to the left.  G, F,
 * /\ and \/ are other words for [], <>, && and ||.
 * Nesting and size are bounded, so that whoever walks a formula may recurse. */
#include "ltl.h"

#include "base/fail.h"
#include <ctype.h>
#include <string.h>

enum { MOST_NODES = 2000, DEEPEST = 3000, MOST_ATOMS = 64 };

enum token {
    TOKEN_END,
    TOKEN_NAME,
    TOKEN_QUOTED,
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_CONSTANT,
    TOKEN_PREFIX,
    TOKEN_BINARY,
    TOKEN_BAD
};

/* What is written with signs or words of its own. */
struct sign {
    const char *text;
    enum token token;
    enum plumb_refine_ltl_kind kind;
    int level;  /* of a binary operator: 0 is the loosest */
    bool right; /* it groups to the right */
};

enum { LEVELS = 6 };

static const struct sign signs[] = {
    { "<->", TOKEN_BINARY, PLUMB_LTL_IFF, 0, false },
    { "->", TOKEN_BINARY, PLUMB_LTL_IMPLIES, 1, true },
    { "||", TOKEN_BINARY, PLUMB_LTL_OR, 2, false },
    { "\\/", TOKEN_BINARY, PLUMB_LTL_OR, 2, false },
    { "&&", TOKEN_BINARY, PLUMB_LTL_AND, 3, false },
    { "/\\", TOKEN_BINARY, PLUMB_LTL_AND, 3, false },
    { "xor", TOKEN_BINARY, PLUMB_LTL_XOR, 4, false },
    { "U", TOKEN_BINARY, PLUMB_LTL_UNTIL, 5, true },
    { "V", TOKEN_BINARY, PLUMB_LTL_RELEASE, 5, true },
    { "R", TOKEN_BINARY, PLUMB_LTL_RELEASE, 5, true },
    { "!", TOKEN_PREFIX, PLUMB_LTL_NOT, 0, false },
    { "[]", TOKEN_PREFIX, PLUMB_LTL_ALWAYS, 0, false },
    { "G", TOKEN_PREFIX, PLUMB_LTL_ALWAYS, 0, false },
    { "<>", TOKEN_PREFIX, PLUMB_LTL_EVENTUALLY, 0, false },
    { "F", TOKEN_PREFIX, PLUMB_LTL_EVENTUALLY, 0, false },
    { "X", TOKEN_PREFIX, PLUMB_LTL_NEXT, 0, false },
    { "true", TOKEN_CONSTANT, PLUMB_LTL_TRUE, 0, false },
    { "false", TOKEN_CONSTANT, PLUMB_LTL_FALSE, 0, false },
    { "(", TOKEN_OPEN, PLUMB_LTL_TRUE, 0, false },
    { ")", TOKEN_CLOSE, PLUMB_LTL_TRUE, 0, false },
};

struct parser {
    const char *at, *end;
    uint64_t line, column; /* of `at` */
    /* The token that was read. */
    enum token token;
    const struct sign *sign; /* of those that have one */
    const char *text;
    size_t size;
    uint64_t token_line, token_column;
    struct plumb_base_arena *arena;
    struct plumb_refine_ltl_atom *atom;
    uint32_t atoms, nodes, depth;
    struct plumb_error *err;
    enum plumb_status status;
};

/* ---- tokens ---- */

static const struct plumb_refine_ltl *complain(struct parser *p,
                                               const char *what)
{
    if (p->status == PLUMB_OK)
        p->status = plumb_base_fail(p->err, PLUMB_EINPUT, p->token_line,
                                    p->token_column, "%s", what);
    p->token = TOKEN_BAD;
    return NULL;
}

static void skip(struct parser *p, size_t size)
{
    for (; size; size--, p->at++) {
        p->column++;
        if (*p->at == '\n') {
            p->line++;
            p->column = 1;
        }
    }
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Of a message: c!5, c?-1. */
static bool sends(const char *s, const char *end)
{
    return end - s > 1 && (*s == '!' || *s == '?') &&
           (isdigit((unsigned char)s[1]) || s[1] == '-');
}

/* A name and its data: eat.0, push.-1.x, c!5.0. */
static size_t name_size(const struct parser *p)
{
    const char *s = p->at;
    while (s < p->end && is_word(*s))
        s++;
    for (bool first = true;
         p->end - s > 1 && (*s == '.' || (first && sends(s, p->end)));
         first = false) {
        const char *part = s + 1;
        if (*part == '-')
            part++;
        if (part == p->end || !is_word(*part))
            break;
        while (part < p->end && is_word(*part))
            part++;
        s = part;
    }
    return (size_t)(s - p->at);
}

static void take(struct parser *p, enum token token, size_t size)
{
    p->token = token;
    p->text = p->at;
    p->size = size;
    skip(p, size);
}

/* The sign that is here; `word` is the size of a word, 0 for none. */
static bool take_sign(struct parser *p, size_t word)
{
    const size_t left = (size_t)(p->end - p->at);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const size_t size = strlen(signs[i].text);
        if (size > left || (word && word != size) ||
            memcmp(signs[i].text, p->at, size) != 0)
            continue;
        p->sign = &signs[i];
        take(p, signs[i].token, size);
        return true;
    }
    return false;
}

static void take_name(struct parser *p)
{
    const size_t size = name_size(p);
    if (!take_sign(p, size))
        take(p, TOKEN_NAME, size);
}

static void take_quoted(struct parser *p)
{
    const char *const close =
        memchr(p->at + 1, '"', (size_t)(p->end - p->at) - 1);
    if (!close) {
        complain(p, "unterminated quoted event");
        return;
    }
    take(p, TOKEN_QUOTED, (size_t)(close - p->at) + 1);
    p->text++;
    p->size -= 2;
    if (!p->size)
        complain(p, "a quoted event has no name");
}

static void next_token(struct parser *p)
{
    if (p->status != PLUMB_OK)
        return;
    while (p->at < p->end && isspace((unsigned char)*p->at))
        skip(p, 1);
    p->token_line = p->line;
    p->token_column = p->column;
    if (p->at == p->end)
        p->token = TOKEN_END;
    else if (*p->at == '"')
        take_quoted(p);
    else if (isalpha((unsigned char)*p->at) || *p->at == '_')
        take_name(p);
    else if (!take_sign(p, 0))
        complain(p, "unexpected character in a temporal formula");
}

/* ---- nodes ---- */

static const struct plumb_refine_ltl *keep(struct parser *p,
                                           struct plumb_refine_ltl like)
{
    const struct plumb_refine_ltl *n;
    if (p->status != PLUMB_OK)
        return NULL;
    if (++p->nodes > MOST_NODES)
        return complain(p, "the formula is too long");
    n = plumb_base_arena_copy(p->arena, &like, sizeof like);
    if (!n)
        p->status = plumb_base_fail_memory(p->err);
    return n;
}

static const struct plumb_refine_ltl *node(struct parser *p,
                                           enum plumb_refine_ltl_kind kind,
                                           const struct plumb_refine_ltl *left,
                                           const struct plumb_refine_ltl *right)
{
    return keep(p, (struct plumb_refine_ltl){ kind, 0, left, right });
}

/* The number of the atom that was read; equal ones are one. */
static bool number_atom(struct parser *p, uint32_t *number)
{
    const bool quoted = p->token == TOKEN_QUOTED;
    char *text;
    for (*number = 0; *number < p->atoms; ++*number) {
        const struct plumb_refine_ltl_atom *const a = p->atom + *number;
        if (a->quoted == quoted && strlen(a->text) == p->size &&
            !memcmp(a->text, p->text, p->size))
            return true;
    }
    if (p->atoms == MOST_ATOMS) {
        complain(p, "the formula has more than 64 atoms");
        return false;
    }
    text = plumb_base_arena_zeroed(p->arena, p->size + 1);
    if (!text) {
        p->status = plumb_base_fail_memory(p->err);
        return false;
    }
    memcpy(text, p->text, p->size);
    p->atom[p->atoms++] =
        (struct plumb_refine_ltl_atom){ .text = text,
                                        .quoted = quoted,
                                        .line = p->token_line,
                                        .column = p->token_column };
    return true;
}

static const struct plumb_refine_ltl *atom(struct parser *p)
{
    uint32_t number;
    if (!number_atom(p, &number))
        return NULL;
    next_token(p);
    return keep(
        p, (struct plumb_refine_ltl){ PLUMB_LTL_ATOM, number, NULL, NULL });
}

/* ---- the grammar ---- */

static const struct plumb_refine_ltl *parse_level(struct parser *p, int level);

static const struct plumb_refine_ltl *parse_group(struct parser *p)
{
    next_token(p);
    const struct plumb_refine_ltl *const inside = parse_level(p, 0);
    if (p->status == PLUMB_OK && p->token != TOKEN_CLOSE)
        return complain(p, "expected a closing )");
    next_token(p);
    return inside;
}

static const struct plumb_refine_ltl *parse_unary(struct parser *p);

static const struct plumb_refine_ltl *parse_primary(struct parser *p)
{
    const struct sign *const sign = p->sign;
    switch (p->token) {
    case TOKEN_PREFIX:
        next_token(p);
        return node(p, sign->kind, parse_unary(p), NULL);
    case TOKEN_CONSTANT:
        next_token(p);
        return node(p, sign->kind, NULL, NULL);
    case TOKEN_OPEN:
        return parse_group(p);
    case TOKEN_NAME:
    case TOKEN_QUOTED:
        return atom(p);
    case TOKEN_END:
        return complain(p, "the formula ends too soon");
    default:
        return complain(p, "expected an atom, an operator or (");
    }
}

static const struct plumb_refine_ltl *parse_unary(struct parser *p)
{
    if (p->depth == DEEPEST)
        return complain(p, "the formula is nested too deeply");
    p->depth++;
    const struct plumb_refine_ltl *const result = parse_primary(p);
    p->depth--;
    return result;
}

static bool is_binary(const struct parser *p, int level)
{
    return p->status == PLUMB_OK && p->token == TOKEN_BINARY &&
           p->sign->level == level;
}

static const struct plumb_refine_ltl *parse_level(struct parser *p, int level)
{
    if (level == LEVELS)
        return parse_unary(p);
    if (p->depth == DEEPEST)
        return complain(p, "the formula is nested too deeply");
    p->depth++;
    const struct plumb_refine_ltl *left = parse_level(p, level + 1);
    while (is_binary(p, level)) {
        const struct sign *const sign = p->sign;
        next_token(p);
        left = node(p, sign->kind, left,
                    parse_level(p, sign->right ? level : level + 1));
    }
    p->depth--;
    return left;
}

enum plumb_status plumb_refine_ltl_parse(const char *text, size_t size,
                                         uint64_t line, uint64_t column,
                                         struct plumb_base_arena *arena,
                                         struct plumb_refine_formula *formula,
                                         struct plumb_error *err)
{
    struct parser p = { .at = text,
                        .end = text + size,
                        .line = line,
                        .column = column,
                        .arena = arena,
                        .err = err,
                        .status = PLUMB_OK };
    const struct plumb_refine_ltl *root;
    p.atom = plumb_base_arena_zeroed(arena, MOST_ATOMS * sizeof *p.atom);
    if (!p.atom)
        return plumb_base_fail_memory(err);
    next_token(&p);
    root = parse_level(&p, 0);
    if (p.status == PLUMB_OK && p.token != TOKEN_END)
        complain(&p, "expected the end of the formula");
    PLUMB_TRY(p.status);
    *formula = (struct plumb_refine_formula){ root, p.atom, p.atoms };
    return PLUMB_OK;
}
