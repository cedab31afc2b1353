/* formulas.h - expressions and programs of a model, with locals put in.
 *
 * A *formula* is an expression in which every local was replaced by its value
 * (or by another formula), constants folded; an *effect* is a program treated
 * so.  Equal ones get equal numbers: that is what makes equal processes equal.
 * Behind a number stands bytecode.
 *
 * A formula or effect runs on the slots of the globals (model.h).  Arithmetic
 * is done in 64 bits; what does not fit 32 is an error, as are division by
 * zero, an index out of bounds, a value outside a variable's range, a loop
 * without end (a limit of steps), each with its place in the model.  Constants
 * are folded only where that gives no error: 1/0 fails when it is reached.
 *
 * Equal expressions written at several places are one formula, with the place
 * that was met first.  A local of a program stands for its value before the
 * program began, also where the program changes what it was made of.  Imported
 * functions are called as formula_call.c says.
 *
 * One thread makes formulas.  Others may look at what is made, each with
 * registers of its own, while nothing new is (read_gate.h). */
#ifndef PLUMB_CSP_FORMULAS_FORMULAS_H
#define PLUMB_CSP_FORMULAS_FORMULAS_H

#include "base/read_gate.h"
#include "base/text.h"
#include "csp/language/model.h"
#include "csp/terms/sequences.h"

struct plumb_csp_formulas;

struct plumb_csp_formulas *plumb_csp_formulas_new(
    const struct plumb_csp_model *model, struct plumb_csp_sequences *sequences,
    struct plumb_budget *budget);
void plumb_csp_formulas_free(struct plumb_csp_formulas *f);

/* What a local stands for: the number of a formula, UINT32_MAX if unbound. */
typedef uint32_t plumb_csp_binding;

#define PLUMB_NO_FORMULA UINT32_MAX /* memory was refused, or too deep */

/* `binding` has an entry for each local of the definition it stands in; NULL:
 * all are unbound.  An unbound local is an error when it is reached. */
uint32_t plumb_csp_formula(struct plumb_csp_formulas *f,
                           const struct plumb_csp_expr *e,
                           const plumb_csp_binding *binding);
uint32_t plumb_csp_formula_constant(struct plumb_csp_formulas *f,
                                    int32_t value);
uint32_t plumb_csp_formula_not(struct plumb_csp_formulas *f, uint32_t formula);
uint32_t plumb_csp_formula_and(struct plumb_csp_formulas *f, uint32_t a,
                               uint32_t b);
/* NULL stands for no program and gives effect 0, which does nothing. */
uint32_t plumb_csp_effect(struct plumb_csp_formulas *f,
                          const struct plumb_csp_program *program,
                          const plumb_csp_binding *binding);
/* Does nothing, but is a program: an event with one does not synchronise. */
uint32_t plumb_csp_effect_idle(struct plumb_csp_formulas *f);

/* Is its value known?  Then it mentions no global. */
bool plumb_csp_formula_is_constant(const struct plumb_csp_formulas *f,
                                   uint32_t formula, int32_t *value);

/* The value of a formula; what an effect does to the slots.  An effect that
 * fails has done what comes before the error. */
enum plumb_status plumb_csp_formula_value(struct plumb_csp_formulas *f,
                                          uint32_t formula,
                                          const int32_t *slots, int32_t *value,
                                          struct plumb_error *err);
enum plumb_status plumb_csp_effect_run(struct plumb_csp_formulas *f,
                                       uint32_t effect, int32_t *slots,
                                       struct plumb_error *err);

/* The same; `written` gets a bit for each slot that was written to, also where
 * the value was there already. */
enum plumb_status plumb_csp_effect_writes(struct plumb_csp_formulas *f,
                                          uint32_t effect, int32_t *slots,
                                          uint64_t *written,
                                          struct plumb_error *err);

/* The same, with nothing made on the way: PLUMB_END if bytecode, registers or a
 * collection are missing; an effect may then have done a part. */
struct plumb_csp_registers {
    int64_t *at;
    size_t count;
};
size_t plumb_csp_formulas_registers(const struct plumb_csp_formulas *f);
enum plumb_status plumb_csp_formula_look(const struct plumb_csp_formulas *f,
                                         const struct plumb_csp_registers *r,
                                         uint32_t formula, const int32_t *slots,
                                         int32_t *value,
                                         struct plumb_error *err);
enum plumb_status plumb_csp_effect_look(const struct plumb_csp_formulas *f,
                                        const struct plumb_csp_registers *r,
                                        uint32_t effect, int32_t *slots,
                                        struct plumb_error *err);
/* PLUMB_NO_FORMULA if there is none yet. */
uint32_t plumb_csp_formula_find_constant(const struct plumb_csp_formulas *f,
                                         int32_t value);
/* Close it before something is made for an evaluation. */
void plumb_csp_formulas_guard(struct plumb_csp_formulas *f,
                              struct plumb_base_gate *gate);

/* Which slots it may read or write: adds them to `reads` and `writes`, a bit
 * per slot (either may be NULL).  An index that is not constant stands for the
 * whole array. */
void plumb_csp_formula_access(const struct plumb_csp_formulas *f,
                              uint32_t formula, uint64_t *reads);
void plumb_csp_effect_access(const struct plumb_csp_formulas *f,
                             uint32_t effect, uint64_t *reads,
                             uint64_t *writes);

/* An element of a variable as it would be written. */
void plumb_csp_element_text(const struct plumb_csp_variable *v,
                            uint32_t element, struct plumb_base_text *out);
/* What is in a variable that is a collection. */
void plumb_csp_collection_text(const struct plumb_csp_formulas *f,
                               const struct plumb_csp_variable *v,
                               uint32_t value, struct plumb_base_text *out);
/* How many numbers it has, the values of a table among them. */
uint32_t plumb_csp_collection_size(const struct plumb_csp_formulas *f,
                                   uint32_t value);
/* A formula or effect as it would be written, for messages and graphs. */
void plumb_csp_formula_text(const struct plumb_csp_formulas *f,
                            uint32_t formula, struct plumb_base_text *out);

/* The same as C: `static inline int fNUMBER(int32_t *s, int32_t *value)`, 0 if
 * all is well, and before all of them what they need.  False if it cannot be
 * written so: a call, a channel, no memory; then a part of it is in `out`. */
void plumb_csp_formula_emit_prelude(struct plumb_base_text *out);
bool plumb_csp_formula_emit(struct plumb_csp_formulas *f, uint32_t number,
                            struct plumb_base_text *out);

#endif
