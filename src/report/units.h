/* units.h - numbers and times for people: three digits and a unit. */
#ifndef PLUMB_REPORT_UNITS_H
#define PLUMB_REPORT_UNITS_H

#include <stdint.h>

enum { PLUMB_UNITS_SIZE = 16 };

/* 0, 42, 0.35, 12.3k, 4.56M; what is less than 0.01 is <0.01. */
void plumb_report_show_number(char text[PLUMB_UNITS_SIZE], double number);

/* 950 ns, 12.3 us, 4.56 ms, 61.0 s */
void plumb_report_show_duration(char text[PLUMB_UNITS_SIZE],
                                uint64_t nanoseconds);

#endif
