/* kinds.c - see kinds.h. */
#include "kinds.h"

#include "spec/values.h"

/* ---- values ---- */

bool plumb_check_word_of(const struct plumb_check_kinds *k,
                         struct plumb_value v, char letter, uint32_t *word)
{
    switch (letter) {
    case 'b':
        if (!plumb_spec_value_as_boolean(k->h, &v))
            return false;
        *word = (uint32_t)v.bits;
        return true;
    case 'i':
        *word = (uint32_t)v.bits;
        return v.tag == PLUMB_INT && v.bits <= INT32_MAX;
    default:
        if (v.tag == PLUMB_NIL) {
            *word = PLUMB_NIL_WORD;
            return true;
        }
        *word = plumb_check_number(k->numbers, v);
        return *word != PLUMB_NOT_NUMBERED;
    }
}

bool plumb_check_kind_copy_strange(const struct plumb_check_kinds *k,
                                   const struct plumb_check_kind *kind,
                                   const struct plumb_op *o,
                                   struct plumb_check_input_op *t)
{
    const struct plumb_value *const value = plumb_op_args(k->h, o);
    const unsigned words = (unsigned)kind->nargs + kind->nres;
    for (unsigned i = 0; i < PLUMB_INPUT_WORDS; i++) {
        t->word[i] = PLUMB_NO_WORD;
        if (i < words &&
            !plumb_check_word_of(k, value[i], kind->letter[i], &t->word[i]))
            return false;
    }
    return true;
}

/* ---- kinds ---- */

static uint8_t all_but(enum plumb_tag tag)
{
    return (uint8_t) ~(1u << tag);
}

/* As plumb_check_word_of() would say, where that is an addition. */
static void learn_word(const struct plumb_check_numbering *n,
                       struct plumb_check_kind *kind, unsigned i)
{
    uint32_t *const offset = kind->offset[i];
    kind->no_word[i] = 0;
    switch (kind->letter[i]) {
    case 'b':
        kind->strange[i] = all_but(PLUMB_BOOL);
        break;
    case 'i':
        kind->strange[i] = UINT8_MAX;
        break;
    default:
        offset[PLUMB_NIL] = PLUMB_NIL_WORD;
        offset[PLUMB_INT] = 2 - (uint32_t)n->least;
        offset[PLUMB_STR] = 2 + n->integers;
        kind->strange[i] = (uint8_t)(n->scattered << PLUMB_INT);
    }
}

static bool learn_answer(struct plumb_check_kinds *k, const struct plumb_op *o,
                         const struct plumb_spec_row *row,
                         struct plumb_check_kind *kind)
{
    const unsigned term = plumb_spec_lexicon_term(&k->lexicon, o->term);
    if (term == PLUMB_NO_TERM || !row->answer[term].present)
        return false;
    const struct plumb_spec_shape *const s = row->answer + term;
    if (o->nres < s->least || o->nres > s->most)
        return false;
    kind->term = (uint8_t)term;
    memcpy(kind->letter + o->nargs, s->letter, o->nres);
    return true;
}

static bool learn(struct plumb_check_kinds *k, const struct plumb_op *o,
                  struct plumb_check_kind *kind)
{
    const int row = plumb_spec_lexicon_row(&k->lexicon, o);
    const bool ok = o->outcome == PLUMB_OUTCOME_OK;
    const unsigned nres = ok ? o->nres : 0;
    if (row < 0 || k->lexicon.row[row].any ||
        o->nargs + nres > PLUMB_INPUT_WORDS)
        return false;
    *kind = (struct plumb_check_kind){
        .name_and_term = plumb_check_kind_name_and_term(o),
        .shape = plumb_check_kind_shape(o),
        .nargs = o->nargs,
        .nres = (uint8_t)nres,
        .role = (uint8_t)k->spec->type->ops[row].role,
        .term = PLUMB_TERM_ANY,
        .no_return = ok ? 0 : UINT32_MAX,
        .no_word = { UINT32_MAX, UINT32_MAX, UINT32_MAX },
    };
    memcpy(kind->letter, k->lexicon.row[row].args, o->nargs);
    if (ok && !learn_answer(k, o, k->lexicon.row + row, kind))
        return false;
    for (unsigned i = 0; i < o->nargs + nres; i++)
        learn_word(k->numbers, kind, i);
    kind->known = true;
    return true;
}

/* If there are more kinds than room, the last to come are learned each time. */
const struct plumb_check_kind *plumb_check_kind_find(
    struct plumb_check_kinds *k, const struct plumb_op *o)
{
    unsigned at = plumb_check_kind_home(o);
    for (unsigned i = 0; i < PLUMB_KINDS && k->kind[at].known; i++) {
        if (plumb_check_kind_is(k->kind + at, o))
            return k->kind + at;
        at = (at + 1) % PLUMB_KINDS;
    }
    k->kind[at].known = false;
    return learn(k, o, k->kind + at) ? k->kind + at : NULL;
}
