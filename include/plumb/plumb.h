/* plumb.h - everything libplumb offers. */
#ifndef PLUMB_PLUMB_H
#define PLUMB_PLUMB_H

#include <plumb/budget.h>
#include <plumb/check.h>
#include <plumb/error.h>
#include <plumb/format.h>
#include <plumb/history.h>
#include <plumb/spec.h>
#include <plumb/value.h>
#include <plumb/verify.h>

#endif
