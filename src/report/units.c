/* units.c - numbers and times for people: three digits and a unit.
 *
 * Three digits are more than a measurement is good for, and never wider than
 * four characters.  A number is rounded before its unit is chosen, so that
 * 999.7 thousand is a million and not "1000k". */
#include "units.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>

/* `unit` ends with NULL; each is a thousand of the one before it. */
static void show(char text[PLUMB_UNITS_SIZE], double n, const char *const *unit)
{
    assert(n >= 0);
    while (n >= 999.5 && unit[1]) {
        n /= 1000;
        unit++;
    }
    const int decimals = n < 9.995 ? 2 : n < 99.95 ? 1 : 0;
    const int length =
        snprintf(text, PLUMB_UNITS_SIZE, "%.*f%s", decimals, n, *unit);
    if (length >= PLUMB_UNITS_SIZE)
        snprintf(text, PLUMB_UNITS_SIZE, "%.2g%s", n, *unit);
}

void plumb_report_show_number(char text[PLUMB_UNITS_SIZE], double number)
{
    static const char *const unit[] = { "", "k", "M", "G", "T", "P", NULL };
    if (number < 999.5 && number == (double)(unsigned)number)
        snprintf(text, PLUMB_UNITS_SIZE, "%u", (unsigned)number);
    else if (number < 0.01)
        snprintf(text, PLUMB_UNITS_SIZE, "<0.01");
    else
        show(text, number, unit);
}

void plumb_report_show_duration(char text[PLUMB_UNITS_SIZE],
                                uint64_t nanoseconds)
{
    static const char *const unit[] = { " ns", " us", " ms", " s", NULL };
    if (nanoseconds < 1000)
        snprintf(text, PLUMB_UNITS_SIZE, "%u ns", (unsigned)nanoseconds);
    else
        show(text, (double)nanoseconds, unit);
}
