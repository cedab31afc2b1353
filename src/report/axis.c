/* axis.c - round numbers for the axes of a plot.
 *
 * Round is 1, 2 or 5 times a power of ten.  A linear axis has four to ten
 * steps of a round size.  A logarithmic one has the round numbers themselves,
 * or only the powers of ten if that would be too many. */
#include "plot.h"

#include <assert.h>

enum {
    FEWEST_STEPS = 4,
    LOGARITHMIC_FROM = 50, /* times the least value */
    MOST_ROUND = 12        /* more round numbers crowd the axis */
};

#define TINIEST 1e-9
#define HUGEST  1e18

/* The round numbers are 1, 2, 5, 10, ...: the next one, upwards. */
static double next_round(double value, unsigned *digit)
{
    *digit = *digit == 1 ? 2 : *digit == 2 ? 5 : 1;
    return *digit == 5 ? value * 2.5 : value * 2;
}

/* The largest round number that is not above `value`, and its first digit. */
static double round_below(double value, unsigned *digit)
{
    double power = 1;
    while (power > value)
        power /= 10;
    while (power * 10 <= value)
        power *= 10;
    *digit = power * 5 <= value ? 5 : power * 2 <= value ? 2 : 1;
    return power * *digit;
}

static double round_above(double value)
{
    unsigned digit;
    const double below = round_below(value, &digit);
    return below < value ? next_round(below, &digit) : below;
}

static void make_linear(struct plumb_report_axis *a, double most)
{
    unsigned digit;
    const double step = most > 0 ? round_below(most / FEWEST_STEPS, &digit)
                                 : 1.0 / FEWEST_STEPS;
    *a = (struct plumb_report_axis){ .ticks = 1 }; /* the first one is 0 */
    const double end = most > 0 ? most : 1;
    while (a->high < end && a->ticks < PLUMB_MOST_TICKS) {
        a->high = step * a->ticks;
        a->tick[a->ticks++] = a->high;
    }
}

static unsigned count_round(double low, double high, unsigned digit)
{
    unsigned count = 1;
    for (double at = low; at < high && count < 1000; count++)
        at = next_round(at, &digit);
    return count;
}

static void make_logarithmic(struct plumb_report_axis *a, double least,
                             double most)
{
    unsigned digit;
    *a = (struct plumb_report_axis){ .logarithmic = true,
                                     .low = round_below(least, &digit),
                                     .high = round_above(most) };
    const bool all = count_round(a->low, a->high, digit) <= MOST_ROUND;
    /* Half a step of rounding error must not lose the last tick. */
    for (double at = a->low; at < a->high * 1.01 && a->ticks < PLUMB_MOST_TICKS;
         at = next_round(at, &digit))
        if (all || digit == 1)
            a->tick[a->ticks++] = at;
}

void plumb_report_axis_for(struct plumb_report_axis *a, double least,
                           double most)
{
    assert(least >= 0 && least <= most);
    most = most > HUGEST ? HUGEST : most;
    least = least < TINIEST ? TINIEST : least;
    if (most > least * LOGARITHMIC_FROM)
        make_logarithmic(a, least, most);
    else
        make_linear(a, most < TINIEST ? 0 : most);
}

/* The logarithm to the base ten of a number from 1 on, bit by bit: squaring a
 * number doubles its logarithm. */
static double logarithm(double value)
{
    double result = 0, bit = 0.5;
    while (value >= 10) {
        value /= 10;
        result++;
    }
    for (unsigned n = 0; n < 24; n++, bit /= 2) {
        value *= value;
        if (value >= 10) {
            value /= 10;
            result += bit;
        }
    }
    return result;
}

double plumb_report_axis_place(const struct plumb_report_axis *a, double value)
{
    if (value <= a->low)
        return 0;
    if (value >= a->high)
        return 1;
    return a->logarithmic
               ? logarithm(value / a->low) / logarithm(a->high / a->low)
               : value / a->high;
}

unsigned plumb_report_tick_stride(unsigned points)
{
    unsigned stride = 1;
    while (points / stride > 16)
        stride *= 2;
    return stride;
}
