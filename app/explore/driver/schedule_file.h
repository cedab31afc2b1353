/* schedule_file.h - an execution, written down so that it can be run again.
 *
 *     plumb-schedule 1
 *     build-id 3f21...
 *     target queue.c
 *     flag -DFAULT
 *     spec queue
 *     test enq(11) | deq()
 *     calls merged
 *     races report
 *     reuse at-once
 *     random 2
 *     point 4711
 *     finding not linearizable
 *     race 4711 4799
 *     cycle 8
 *     steps 37
 *     T0*31 T1*5 T1?2
 *
 * `race` is of a data race: the places of its two accesses.  `cycle` is of a
 * livelock: the last 8 steps repeat for ever.  The last lines are the decisions:
 * thread 0 does 31 steps, thread 1 does 5 and one more, in which it takes
 * option 2 of a choice.  Behind T1*5~ another goes on because thread 1 came
 * round to where it was: that is no preemption.  Values are one line each; a
 * backslash, and what would not be seen, is written as \\ or \xHH. */
#ifndef PLUMB_APP_EXPLORE_DRIVER_SCHEDULE_FILE_H
#define PLUMB_APP_EXPLORE_DRIVER_SCHEDULE_FILE_H

#include "app/console/wordlist.h"
#include "base/text.h"
#include "runtime/explore/job/job.h"
#include "runtime/explore/memory/heap.h"
#include "scenario.h"
#include <plumb/error.h>

struct explore_schedule {
    char build_id[64];
    char target[PATH_MAX];         /* as it was given                       */
    struct console_wordlist flags; /* for its compiler, as behind `--`      */
    bool program;
    struct console_wordlist
        arguments;       /* of its main()                         */
    char spec[JOB_TEXT]; /* "": none                              */
    char nondet[JOB_TEXT], async[JOB_TEXT]; /* as in job_request */
    struct explore_scenario scenario;
    enum job_calls calls;
    enum job_races races;
    enum memory_heap_reuse reuse;
    uint32_t random;
    uint32_t points, point[JOB_POINTS]; /* as in job_request */
    char finding[80];
    uint64_t race[2]; /* as in job_request */
    uint32_t cycle;   /* of a livelock: the last so many steps repeat */
    struct job_step *step;
    uint8_t *switched; /* per step, as in struct job */
    uint32_t length;
};

/* For the steps; false: there is no memory. */
bool explore_schedule_make_room(struct explore_schedule *s, uint32_t steps);

void explore_schedule_print(const struct explore_schedule *s,
                            struct plumb_base_text *out);

/* `s` is what the text says, or the error says where it is wrong.  Release it
 * either way. */
enum plumb_status explore_schedule_parse(struct explore_schedule *s,
                                         const char *text, size_t size,
                                         struct plumb_error *err);
void explore_schedule_release(struct explore_schedule *s);

/* The words of the file, and of options: "merged", "report", "at-once", ...;
 * each ends with NULL and is in the order of its enum. */
extern const char *const explore_schedule_calls[],
    *const explore_schedule_races[], *const explore_schedule_reuse[];

/* Write it to a new file in ./.plumb, whose name begins with `label`; a file
 * that says the same is as good.  False after saying why not. */
bool explore_schedule_write(const struct explore_schedule *s, const char *label,
                            char path[PATH_MAX]);

/* False after saying what is wrong; else release it. */
bool explore_schedule_read(struct explore_schedule *s, const char *path);

#endif
