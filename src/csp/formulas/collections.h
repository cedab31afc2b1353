/* collections.h - lists, sets, stacks, queues and tables of numbers, as values.
 *
 * A collection is the number of its content, and equal contents of one kind
 * have equal numbers; 0 is the empty one.  So it is one slot of the state
 * however much it holds.  Nothing is ever changed: what a method changes is the
 * number that a variable holds, and each method is up to two functions, of the
 * collection before and the arguments: what it answers, and the collection
 * after it.
 *
 * The content of a list and of a queue begins with its first element, that of a
 * stack ends with its top; a set is sorted; a table is keys and values in turn,
 * sorted by key. */
#ifndef PLUMB_CSP_FORMULAS_COLLECTIONS_H
#define PLUMB_CSP_FORMULAS_COLLECTIONS_H

#include "base/read_gate.h"
#include "base/text.h"
#include "csp/language/model.h"
#include <stdbool.h>
#include <stdint.h>

enum plumb_csp_collection_kind {
    PLUMB_COLLECTION_NONE,
    PLUMB_COLLECTION_LIST,
    PLUMB_COLLECTION_SET,
    PLUMB_COLLECTION_STACK,
    PLUMB_COLLECTION_QUEUE,
    PLUMB_COLLECTION_TABLE,
    PLUMB_COLLECTION_KINDS
};

/* "List", ...; the kind of that name, NONE if there is none. */
extern const char *const plumb_csp_collection_name[PLUMB_COLLECTION_KINDS];
enum plumb_csp_collection_kind plumb_csp_collection_named(const char *name,
                                                          size_t length);

enum { PLUMB_MOST_METHOD_ARGUMENTS = 2 };

struct plumb_csp_method_call;
struct plumb_csp_method {
    const char *name;
    uint8_t kinds;         /* of which collections: a bit each              */
    const char *arguments; /* n: a number, c: a collection of its own kind  */
    /* What it answers: n, b (a truth value), c, or a blank for nothing; and
     * whether it changes the collection. */
    char answers;
    bool changes;
    void (*run)(struct plumb_csp_method_call *call);
};

/* All of them; NULL behind the last one. */
const struct plumb_csp_method *plumb_csp_method_at(uint32_t number);

/* ---- the store ---- */

struct plumb_csp_collections;

struct plumb_csp_collections *plumb_csp_collections_new(
    struct plumb_budget *budget);
void plumb_csp_collections_free(struct plumb_csp_collections *c);

enum plumb_csp_method_end {
    PLUMB_METHOD_DONE,
    PLUMB_METHOD_EMPTY, /* there is no first or last element               */
    PLUMB_METHOD_INDEX, /* no element, or no key, of that number           */
    PLUMB_METHOD_KEY,
    PLUMB_METHOD_IMPURE, /* of a struct: it answers something else when asked
                             again; it changes the struct, and may not     */
    PLUMB_METHOD_CHANGES,
    PLUMB_METHOD_UNKNOWN, /* the collection after it is not there yet        */
    PLUMB_METHOD_MEMORY
};

/* The answer of a method, or, if `after`, the number of the collection after
 * it.  The collection and the arguments are in `operand`; after INDEX and KEY
 * `*value` is what was asked for.  Without `make`, which only one thread may
 * set, nothing is made; the gate is closed while something is. */
enum plumb_csp_method_end plumb_csp_collections_call(
    struct plumb_csp_collections *c, uint32_t method, bool after,
    const int64_t *operand, bool make, struct plumb_base_gate *gate,
    int32_t *value);

/* The same of a struct in C, as `part` says. */
enum plumb_csp_method_end plumb_csp_collections_call_struct(
    struct plumb_csp_collections *c, const struct plumb_csp_class *of,
    const struct plumb_csp_class_method *method,
    enum plumb_csp_method_part part, const int64_t *operand, bool make,
    struct plumb_base_gate *gate, int32_t *value);
/* Its words, {1, 2}. */
void plumb_csp_collections_struct_text(struct plumb_csp_collections *c,
                                       const struct plumb_csp_class *of,
                                       uint32_t number,
                                       struct plumb_base_text *out);

uint32_t plumb_csp_collections_size(const struct plumb_csp_collections *c,
                                    uint32_t number);
/* [1, 2], {1, 2} of a set, {1=5, 2=7} of a table. */
void plumb_csp_collections_text(const struct plumb_csp_collections *c,
                                enum plumb_csp_collection_kind kind,
                                uint32_t number, struct plumb_base_text *out);

#endif
