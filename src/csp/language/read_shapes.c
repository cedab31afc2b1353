/* read_shapes.c - what is passed to which process, and over which channel.
 *
 * A parameter, or a name that a message binds, is an array if an array is
 * passed; nothing says so where the name is bound.  So bodies are read again
 * and again, until nothing new was learnt about what is passed (read_bodies.c).
 * What is not known yet is *open*: it is taken for a value, and that it was is
 * noted as a guess if it might make a difference.  If nothing new is learnt
 * any more, what is still open is not passed at all: what is done with it is
 * never done.
 *
 * A model without arrays that are passed is read once: then no guess matters.
 *
 * A process that is given different shapes is read once for each, as a
 * definition of its own.  Messages of one channel that have the same number of
 * parts have to have the same shapes: what is received can then be known. */
#include "base/spelling.h"
#include "model_reader.h"

#include <stdio.h>

bool plumb_csp_shapes_begin(struct plumb_csp_read *r)
{
    r->given = plumb_csp_read_scratch(r, (r->definition.count + 1u) *
                                             sizeof *r->given);
    r->sent =
        plumb_csp_read_scratch(r, (r->channel.count + 1u) * sizeof *r->sent);
    return !r->failed;
}

/* ---- shapes ---- */

static bool is_same(const struct plumb_csp_array_shape *a,
                    const struct plumb_csp_array_shape *b)
{
    return a->open == b->open && a->dimensions == b->dimensions &&
           memcmp(a->dimension, b->dimension,
                  a->dimensions * sizeof *a->dimension) == 0;
}

/* "a number", "an array of 2 x 3 numbers". */
static const char *shape_words(const struct plumb_csp_array_shape *s,
                               char *text, size_t size)
{
    if (!s->dimensions) {
        snprintf(text, size, "a number");
        return text;
    }
    int at = snprintf(text, size, "an array of ");
    for (uint32_t d = 0; d < s->dimensions && (size_t)at < size; d++)
        at += snprintf(text + at, size - (size_t)at, "%s%u", d ? " x " : "",
                       (unsigned)s->dimension[d]);
    if ((size_t)at < size)
        snprintf(text + at, size - (size_t)at, " numbers");
    return text;
}

static bool has_arrays(const struct plumb_csp_array_shape *shape,
                       uint32_t parts)
{
    for (uint32_t i = 0; i < parts; i++)
        if (shape[i].dimensions)
            return true;
    return false;
}

static bool is_open(const struct plumb_csp_shapes *shapes)
{
    for (uint32_t i = 0; i < shapes->count; i++)
        if (shapes->at[i].open)
            return true;
    return false;
}

/* The first part that is not the same; `parts` if all are. */
static uint32_t first_other(const struct plumb_csp_array_shape *a,
                            const struct plumb_csp_array_shape *b,
                            uint32_t parts)
{
    uint32_t i = 0;
    while (i < parts && is_same(a + i, b + i))
        i++;
    return i;
}

static bool add_passing(struct plumb_csp_read *r,
                        struct plumb_csp_passings *list,
                        const struct plumb_csp_shapes *shapes, uint32_t number)
{
    const struct plumb_csp_passing p = { PLUMB_LIST_TAKE(r, shapes),
                                         shapes->count, number };
    return !r->failed && PLUMB_LIST_ADD(r, list, p);
}

/* ---- to processes ---- */

/* The first way to call it takes the definition as it is declared, each other
 * a new one. */
static bool add_call(struct plumb_csp_read *r, uint32_t definition,
                     const struct plumb_csp_shapes *shapes, uint32_t *number)
{
    struct plumb_csp_passings *const given = r->given + definition;
    const struct plumb_csp_definition d = r->definition.at[definition];
    *number = definition;
    if (given->count == PLUMB_MOST_SHAPES)
        return plumb_csp_read_fail(
            r, shapes->at->place,
            "%.60s is called with arrays of more than %d shapes", d.name,
            PLUMB_MOST_SHAPES);
    if (given->count && !plumb_csp_definition_add(r, d.name, d.place, number))
        return false;
    if (given->count || has_arrays(shapes->at, shapes->count))
        r->learnt = true;
    return add_passing(r, given, shapes, *number);
}

bool plumb_csp_shapes_call(struct plumb_csp_read *r, uint32_t definition,
                           const struct plumb_csp_shapes *shapes,
                           uint32_t *number)
{
    const struct plumb_csp_passings *const given = r->given + definition;
    const struct plumb_csp_passing *const p = given->at;
    *number = definition;
    if (is_open(shapes) && !r->certain) {
        if (given->count && has_arrays(p->shape, p->parts))
            r->guessed = true;
        return true;
    }
    for (uint32_t i = 0; i < given->count; i++)
        if (first_other(p[i].shape, shapes->at, p[i].parts) == p[i].parts) {
            *number = p[i].number;
            return true;
        }
    return add_call(r, definition, shapes, number);
}

/* ---- in messages ---- */

static uint32_t values_in(const struct plumb_csp_passing *p)
{
    uint32_t values = 0;
    for (uint32_t i = 0; i < p->parts; i++)
        values += p->shape[i].size;
    return values;
}

static const struct plumb_csp_passing *message_of(
    const struct plumb_csp_read *r, uint32_t channel, uint32_t parts)
{
    const struct plumb_csp_passings *const sent = r->sent + channel;
    const struct plumb_csp_passing *const p = sent->at;
    for (uint32_t i = 0; i < sent->count; i++)
        if (p[i].parts == parts)
            return p + i;
    return NULL;
}

const struct plumb_csp_array_shape *plumb_csp_shapes_message(
    const struct plumb_csp_read *r, uint32_t channel, uint32_t parts)
{
    const struct plumb_csp_passing *const p = message_of(r, channel, parts);
    return p ? p->shape : NULL;
}

static const char *channel_name(const struct plumb_csp_read *r,
                                uint32_t channel)
{
    return r->channel.at[channel].name;
}

/* Elements are sent one by one: messages of other parts must not look alike. */
static bool check_apart(struct plumb_csp_read *r, uint32_t channel,
                        struct plumb_csp_place place,
                        const struct plumb_csp_passing *one)
{
    const struct plumb_csp_passings *const sent = r->sent + channel;
    const struct plumb_csp_passing *const p = sent->at;
    for (uint32_t i = 0; i < sent->count; i++) {
        if (p[i].parts == one->parts || values_in(p + i) != values_in(one) ||
            (!has_arrays(p[i].shape, p[i].parts) &&
             !has_arrays(one->shape, one->parts)))
            continue;
        return plumb_csp_read_fail(r, place,
                                   "messages of %.60s are ambiguous: %u "
                                   "numbers in %u part%s here, in %u at %u:%u",
                                   channel_name(r, channel), values_in(one),
                                   one->parts, plumb_base_plural(one->parts),
                                   p[i].parts, p[i].shape->place.line,
                                   p[i].shape->place.column);
    }
    return true;
}

static bool fail_unlike(struct plumb_csp_read *r, uint32_t channel,
                        bool received, const struct plumb_csp_array_shape *here,
                        const struct plumb_csp_array_shape *there)
{
    char one[120], other[120];
    return plumb_csp_read_fail(
        r, here->place, "%s is %s %.60s here, but %s%s at %u:%u",
        shape_words(here, one, sizeof one),
        received ? "received from" : "sent over", channel_name(r, channel),
        shape_words(there, other, sizeof other), received ? " is sent" : "",
        there->place.line, there->place.column);
}

bool plumb_csp_shapes_send(struct plumb_csp_read *r, uint32_t channel,
                           struct plumb_csp_place place,
                           const struct plumb_csp_shapes *shapes)
{
    const struct plumb_csp_array_shape *const shape = shapes->at;
    const struct plumb_csp_passing one = { shape, shapes->count, 0 };
    const struct plumb_csp_passing *const known =
        message_of(r, channel, shapes->count);
    if (is_open(shapes)) {
        if (known && has_arrays(known->shape, known->parts))
            r->guessed = true;
        return true;
    }
    if (!known) {
        r->learnt |= has_arrays(shape, shapes->count);
        return check_apart(r, channel, place, &one) &&
               add_passing(r, r->sent + channel, shapes, 0);
    }
    const uint32_t other = first_other(known->shape, shape, shapes->count);
    return other == shapes->count ||
           fail_unlike(r, channel, false, shape + other, known->shape + other);
}

/* A compared part is what it is; the others are what the message is. */
static bool check_parts(struct plumb_csp_read *r, uint32_t channel,
                        const struct plumb_csp_array_shape *here,
                        const struct plumb_csp_passing *sent)
{
    for (uint32_t i = 0; i < sent->parts; i++) {
        if (is_same(here + i, sent->shape + i))
            continue;
        if (!here[i].open)
            return fail_unlike(r, channel, true, here + i, sent->shape + i);
        r->guessed = true;
    }
    return true;
}

bool plumb_csp_shapes_receive(struct plumb_csp_read *r, uint32_t channel,
                              struct plumb_csp_place place,
                              const struct plumb_csp_shapes *shapes)
{
    const struct plumb_csp_passing one = { shapes->at, shapes->count, 0 };
    const struct plumb_csp_passing *const known =
        message_of(r, channel, shapes->count);
    if (known)
        return check_parts(r, channel, shapes->at, known);
    if (r->certain)
        return check_apart(r, channel, place, &one);
    const struct plumb_csp_passing *const p = r->sent[channel].at;
    for (uint32_t i = 0; i < r->sent[channel].count; i++)
        r->guessed |= has_arrays(p[i].shape, p[i].parts);
    return true;
}

bool plumb_csp_shapes_peek(struct plumb_csp_read *r, uint32_t channel,
                           struct plumb_csp_place place)
{
    const struct plumb_csp_passing *const p = r->sent[channel].at;
    for (uint32_t i = 0; i < r->sent[channel].count; i++)
        if (p[i].shape->dimensions)
            return plumb_csp_read_fail(
                r, place,
                "cpeek returns a number, but messages of %.60s begin with an "
                "array (at %u:%u)",
                channel_name(r, channel), p[i].shape->place.line,
                p[i].shape->place.column);
    return true;
}
