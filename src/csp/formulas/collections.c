/* collections.c - contents of collections, each held once. */
#include "collection_methods.h"

#include "base/memory.h"
#include "base/number_lists.h"
#include <string.h>

/* Contents of this many numbers are made on the stack, larger ones by the one
 * thread that may make anything. */
enum { SMALL = 256 };

struct plumb_csp_collections {
    struct plumb_budget *budget;
    struct plumb_base_lists lists; /* [0] is empty */
    int32_t *scratch;
    size_t scratch_room;
};

struct plumb_csp_collections *plumb_csp_collections_new(
    struct plumb_budget *budget)
{
    static const uint32_t none;
    struct plumb_csp_collections *const c =
        plumb_base_alloc_zeroed(budget, sizeof *c);
    if (!c)
        return NULL;
    c->budget = budget;
    plumb_base_lists_init(&c->lists, budget);
    if (plumb_base_lists_put(&c->lists, &none, 0) == 0)
        return c;
    plumb_csp_collections_free(c);
    return NULL;
}

void plumb_csp_collections_free(struct plumb_csp_collections *c)
{
    if (!c)
        return;
    plumb_base_lists_release(&c->lists);
    PLUMB_RELEASE(c->budget, c->scratch, c->scratch_room);
    plumb_base_release(c->budget, c, sizeof *c);
}

static struct plumb_csp_content content_of(
    const struct plumb_csp_collections *c, int64_t number)
{
    size_t count;
    const uint32_t *const at =
        plumb_base_lists_get(&c->lists, (uint32_t)number, &count);
    return (struct plumb_csp_content){ (const int32_t *)at, (uint32_t)count };
}

/* A method of two collections that is given one goes with its own. */
static struct plumb_csp_method_call begin(const struct plumb_csp_collections *c,
                                          const struct plumb_csp_method *m,
                                          const int64_t *operand)
{
    struct plumb_csp_method_call call = { .self = content_of(c, operand[0]) };
    uint32_t numbers = 0;
    if (m->arguments[0] == 'c' && !m->arguments[1])
        call.other[call.others++] = call.self;
    for (uint32_t i = 0; m->arguments[i]; i++)
        if (m->arguments[i] == 'c')
            call.other[call.others++] = content_of(c, operand[1 + i]);
        else
            call.number[numbers++] = (int32_t)operand[1 + i];
    return call;
}

static uint32_t room_for(const struct plumb_csp_method_call *call)
{
    uint32_t room = call->self.count + PLUMB_MOST_METHOD_ARGUMENTS;
    for (uint32_t i = 0; i < call->others; i++)
        room += call->other[i].count;
    return room;
}

/* The number of the content that a method made. */
static enum plumb_csp_method_end number_of(
    struct plumb_csp_collections *c, const struct plumb_csp_method_call *call,
    bool make, struct plumb_base_gate *gate, int32_t *value)
{
    const uint32_t *const made = (const uint32_t *)call->to;
    uint32_t number = plumb_base_lists_find(&c->lists, made, call->made);
    if (number == PLUMB_ABSENT && make) {
        plumb_base_gate_close(gate);
        number = plumb_base_lists_put(&c->lists, made, call->made);
        plumb_base_gate_open(gate);
        if (number == PLUMB_ABSENT)
            return PLUMB_METHOD_MEMORY;
    }
    *value = (int32_t)number;
    return number == PLUMB_ABSENT ? PLUMB_METHOD_UNKNOWN : PLUMB_METHOD_DONE;
}

enum plumb_csp_method_end plumb_csp_collections_call(
    struct plumb_csp_collections *c, uint32_t method, bool after,
    const int64_t *operand, bool make, struct plumb_base_gate *gate,
    int32_t *value)
{
    const struct plumb_csp_method *const m = plumb_csp_method_at(method);
    int32_t few[SMALL];
    assert(m);
    struct plumb_csp_method_call call = begin(c, m, operand);
    const uint32_t room = room_for(&call);
    const bool makes = after || m->answers == 'c';
    call.to = makes ? few : NULL;
    if (makes && room > SMALL) {
        if (!make)
            return PLUMB_METHOD_UNKNOWN;
        if (!PLUMB_GROW(c->budget, c->scratch, c->scratch_room, room))
            return PLUMB_METHOD_MEMORY;
        call.to = c->scratch;
    }
    m->run(&call);
    *value = call.value;
    if (call.end != PLUMB_METHOD_DONE || !makes)
        return call.end;
    return number_of(c, &call, make, gate, value);
}

uint32_t plumb_csp_collections_size(const struct plumb_csp_collections *c,
                                    uint32_t number)
{
    return content_of(c, number).count;
}

void plumb_csp_collections_text(const struct plumb_csp_collections *c,
                                enum plumb_csp_collection_kind kind,
                                uint32_t number, struct plumb_base_text *out)
{
    const struct plumb_csp_content content = content_of(c, number);
    const bool table = kind == PLUMB_COLLECTION_TABLE;
    const bool set = kind == PLUMB_COLLECTION_SET;
    plumb_base_text_add(out, table || set ? "{" : "[");
    for (uint32_t i = 0; i < content.count; i++)
        plumb_base_text_printf(out, "%s%d",
                               i == 0           ? ""
                               : table && i % 2 ? "="
                                                : ", ",
                               (int)content.at[i]);
    plumb_base_text_add(out, table || set ? "}" : "]");
}

/* ---- structs in C ----
 *
 * The number of a new one is 0; any other is that of its bytes.  A method is
 * called twice, on copies: who answers differently the second time, or leaves
 * something else, has no meaning. */

enum { COPIES = 3, MOST_ARGUMENTS = 7 };

static size_t words_of(const struct plumb_csp_class *of)
{
    return (of->size + sizeof(int32_t) - 1) / sizeof(int32_t);
}

/* Room for so many copies. */
static bool make_copies(struct plumb_csp_collections *c,
                        const struct plumb_csp_class *of)
{
    return PLUMB_GROW(c->budget, c->scratch, c->scratch_room,
                      COPIES * words_of(of));
}

static void copy_new(const struct plumb_csp_class *of, int32_t *to)
{
    memset(to, 0, words_of(of) * sizeof *to);
    if (of->begin)
        of->begin(to);
}

static void copy(const struct plumb_csp_collections *c,
                 const struct plumb_csp_class *of, int64_t number, int32_t *to)
{
    if (number)
        memcpy(to, content_of(c, number).at, words_of(of) * sizeof *to);
    else
        copy_new(of, to);
}

static int32_t call_struct(const struct plumb_csp_class_method *m, void *self,
                           const int64_t *a)
{
    int32_t v[MOST_ARGUMENTS] = { 0 };
    assert(m->arguments <= MOST_ARGUMENTS);
    for (uint32_t i = 0; i < m->arguments; i++)
        v[i] = (int32_t)a[i];
    typedef int32_t V;
    switch (m->arguments) {
    case 0:
        return ((V(*)(void *))m->foreign)(self);
    case 1:
        return ((V(*)(void *, V))m->foreign)(self, v[0]);
    case 2:
        return ((V(*)(void *, V, V))m->foreign)(self, v[0], v[1]);
    case 3:
        return ((V(*)(void *, V, V, V))m->foreign)(self, v[0], v[1], v[2]);
    case 4:
        return ((V(*)(void *, V, V, V, V))m->foreign)(self, v[0], v[1], v[2],
                                                      v[3]);
    case 5:
        return ((V(*)(void *, V, V, V, V, V))m->foreign)(self, v[0], v[1], v[2],
                                                         v[3], v[4]);
    case 6:
        return ((V(*)(void *, V, V, V, V, V, V))m->foreign)(
            self, v[0], v[1], v[2], v[3], v[4], v[5]);
    default:
        return ((V(*)(void *, V, V, V, V, V, V, V))m->foreign)(
            self, v[0], v[1], v[2], v[3], v[4], v[5], v[6]);
    }
}

enum plumb_csp_method_end plumb_csp_collections_call_struct(
    struct plumb_csp_collections *c, const struct plumb_csp_class *of,
    const struct plumb_csp_class_method *method,
    enum plumb_csp_method_part part, const int64_t *operand, bool make,
    struct plumb_base_gate *gate, int32_t *value)
{
    const size_t words = words_of(of), size = words * sizeof(int32_t);
    if (!make)
        return PLUMB_METHOD_UNKNOWN;
    if (!make_copies(c, of))
        return PLUMB_METHOD_MEMORY;
    int32_t *const one = c->scratch, *const two = one + words,
                   *const before = two + words;
    copy(c, of, operand[0], before);
    memcpy(one, before, size);
    memcpy(two, before, size);
    *value = call_struct(method, one, operand + 1);
    if (call_struct(method, two, operand + 1) != *value ||
        memcmp(one, two, size) != 0)
        return PLUMB_METHOD_IMPURE;
    if (part == PLUMB_ANSWER && memcmp(one, before, size) != 0)
        return PLUMB_METHOD_CHANGES;
    if (part != PLUMB_AFTER)
        return PLUMB_METHOD_DONE;
    copy_new(of, two);
    const struct plumb_csp_method_call made = { .to = one,
                                                .made = (uint32_t)words };
    *value = 0;
    return memcmp(one, two, size) == 0 ? PLUMB_METHOD_DONE
                                       : number_of(c, &made, make, gate, value);
}

void plumb_csp_collections_struct_text(struct plumb_csp_collections *c,
                                       const struct plumb_csp_class *of,
                                       uint32_t number,
                                       struct plumb_base_text *out)
{
    if (!make_copies(c, of))
        return;
    copy(c, of, number, c->scratch);
    for (size_t i = 0; i < words_of(of); i++)
        plumb_base_text_printf(out, "%s%d", i ? ", " : "{", (int)c->scratch[i]);
    plumb_base_text_add(out, "}");
}
