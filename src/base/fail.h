/* fail.h - filling in an error and returning its status in one expression. */
#ifndef PLUMB_BASE_FAIL_H
#define PLUMB_BASE_FAIL_H

#include <plumb/budget.h>
#include <stdarg.h>

enum plumb_status plumb_base_fail(struct plumb_error *err,
                                  enum plumb_status status, uint64_t line,
                                  uint64_t column, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
enum plumb_status plumb_base_vfail(struct plumb_error *err,
                                   enum plumb_status status, uint64_t line,
                                   uint64_t column, const char *format,
                                   va_list args)
    __attribute__((format(printf, 5, 0)));

/* The usual words for PLUMB_EMEMORY. */
enum plumb_status plumb_base_fail_memory(struct plumb_error *err);

/* A run had to end: its time is up, it was stopped, or else memory was refused.
 */
enum plumb_status plumb_base_fail_budget(const struct plumb_budget *budget,
                                         struct plumb_error *err);

/* Leave this function with the status of a call that did not go well. */
#define PLUMB_TRY(call)                                                        \
    do {                                                                       \
        const enum plumb_status status_of_call = (call);                       \
        if (status_of_call != PLUMB_OK)                                        \
            return status_of_call;                                             \
    } while (0)

#endif
