/* fail.c - filling in an error. */
#include "fail.h"

#include <stdio.h>

enum plumb_status plumb_base_vfail(struct plumb_error *err,
                                   enum plumb_status status, uint64_t line,
                                   uint64_t column, const char *format,
                                   va_list args)
{
    err->status = status;
    err->line = line;
    err->column = column;
    vsnprintf(err->message, sizeof err->message, format, args);
    return status;
}

enum plumb_status plumb_base_fail(struct plumb_error *err,
                                  enum plumb_status status, uint64_t line,
                                  uint64_t column, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    plumb_base_vfail(err, status, line, column, format, args);
    va_end(args);
    return status;
}

enum plumb_status plumb_base_fail_memory(struct plumb_error *err)
{
    return plumb_base_fail(err, PLUMB_EMEMORY, 0, 0, "out of memory");
}

enum plumb_status plumb_base_fail_budget(const struct plumb_budget *budget,
                                         struct plumb_error *err)
{
    const enum plumb_status status = plumb_budget_state(budget);
    if (status == PLUMB_OK)
        return plumb_base_fail_memory(err);
    return plumb_base_fail(err, status, 0, 0, "%s",
                           status == PLUMB_ETIME ? "out of time"
                                                 : "interrupted");
}
