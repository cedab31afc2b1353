/* simulate_ask.c - the conversation of section 4.1, word by word.
 *
 * The questions go to stderr: stdout is for results.  They are asked of
 * whatever stdin is, so that answers can be piped in; where it ends, the
 * option that would have answered is named. */
#include "app/console/quantity.h"
#include "app/console/say.h"
#include "record/log.h"
#include "simulate_settings.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/select.h>
#include <unistd.h>

struct talk {
    struct simulate_settings *s;
    struct simulate_answers *a;
    bool asked; /* something was: then also for `start` */
};

enum { LINE = 1024 };

/* Ctrl-C between a question and the wait for its answer must not be lost: it
 * is held until the wait. */
static void hold_signals(sigset_t *before)
{
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigprocmask(SIG_BLOCK, &ends, before);
}

/* False if a signal came instead of a line. */
static bool await_line(const sigset_t *before)
{
    fd_set in;
    if (!isatty(STDIN_FILENO))
        return true;
    FD_ZERO(&in);
    FD_SET(STDIN_FILENO, &in);
    return pselect(STDIN_FILENO + 1, &in, NULL, NULL, NULL, before) >= 0 ||
           errno != EINTR;
}

/* A line without the spaces around it; false at the end of the input. */
static bool read_answer(char answer[LINE])
{
    if (!fgets(answer, LINE, stdin))
        return false;
    const size_t length = strlen(answer);
    const bool whole = length < LINE - 1 || answer[length - 1] == '\n';
    for (int c; !whole && (c = getchar()) != EOF && c != '\n';)
        ; /* no answer is that long: what follows is not the next one */
    const size_t blank = strspn(answer, " \t\r\n");
    memmove(answer, answer + blank, length - blank + 1);
    size_t end = strlen(answer);
    while (end > 0 && strchr(" \t\r\n", answer[end - 1]))
        answer[--end] = '\0';
    return true;
}

static bool ask(struct talk *t, const char *question, const char *option,
                char answer[LINE])
{
    sigset_t before;
    t->asked = true;
    hold_signals(&before);
    if (question)
        fprintf(stderr, "%s\n", question);
    fputs("-: ", stderr);
    const bool interrupted = !await_line(&before);
    sigprocmask(SIG_SETMASK, &before, NULL);
    const bool answered = !interrupted && read_answer(answer);
    if (!answered || !isatty(STDIN_FILENO))
        fputc('\n', stderr);
    if (answered || interrupted)
        return answered;
    return console_fails(
        "plumb simulate: no answer; give %s, or leave out --ask", option);
}

static bool ask_name(struct talk *t, const char *question, const char *option,
                     char *name, size_t size)
{
    char answer[LINE];
    if (!ask(t, question, option, answer))
        return false;
    snprintf(name, size, "%s", answer);
    return true;
}

/* A number from 1 to `most`; negative ones, if allowed, give 0. */
static bool ask_number(struct talk *t, const char *question, const char *option,
                       uint64_t most, bool negative, uint64_t *number)
{
    char answer[LINE];
    for (;; question = NULL) {
        if (!ask(t, question, option, answer))
            return false;
        *number = 0;
        if (negative && console_means_no_end(answer))
            return true;
        if (console_read_count(answer, number) && *number >= 1 &&
            *number <= most)
            return true;
        fprintf(stderr, "Please type a number from 1 to %llu%s.\n",
                (unsigned long long)most,
                negative ? ", or -1 for no limit" : "");
    }
}

static bool ask_yes(struct talk *t, const char *question, const char *option,
                    bool *yes)
{
    char answer[LINE];
    for (;; question = NULL) {
        if (!ask(t, question, option, answer))
            return false;
        if (answer[0] && strchr("yYnN", answer[0])) {
            *yes = answer[0] == 'y' || answer[0] == 'Y';
            return true;
        }
        fputs("Please type y or n.\n", stderr);
    }
}

static bool ask_start(struct talk *t)
{
    char answer[LINE];
    const char *question = "Start the simulation by typing <start>.";
    do {
        if (!ask(t, question, "all conditions as options", answer))
            return false;
        question = NULL;
    } while (strcasecmp(answer, "start") != 0 &&
             strcasecmp(answer, "<start>") != 0);
    return true;
}

static bool ask_objects(struct talk *t)
{
    struct simulate_settings *const s = t->s;
    if (!s->object && !s->input) {
        if (!ask_name(t, "Please provide a concurrent object. [filename]",
                      "-c OBJECT", t->a->object, sizeof t->a->object))
            return false;
        s->object = t->a->object;
    }
    if (!s->spec && s->input && !strcmp(s->input, "-"))
        return console_fails(
            "plumb simulate: -i - reads standard input, so plumb "
            "cannot ask for a specification; give -s SPEC");
    if (!s->spec) {
        if (!ask_name(t,
                      "Please provide a sequential specification. [filename]",
                      "-s SPEC", t->a->spec, sizeof t->a->spec))
            return false;
        s->spec = t->a->spec[0] ? t->a->spec : NULL; /* the object's own */
    }
    return true;
}

static bool ask_span(struct talk *t)
{
    struct simulate_settings *const s = t->s;
    bool timed;
    uint64_t number;
    if (!ask_yes(t,
                 "Would you like to simulate your object for a fixed length of "
                 "time? [y/n]",
                 "--seconds S or --histories N", &timed))
        return false;
    if (!ask_number(t,
                    timed ? "For how long? [seconds]"
                          : "How many histories would you like to test?",
                    timed ? "--seconds S" : "--histories N",
                    timed ? 31536000 : UINT64_C(1000000000000), true, &number))
        return false;
    s->span = number == 0 ? SPAN_FOREVER : timed ? SPAN_TIME : SPAN_HISTORIES;
    s->milliseconds = number * 1000;
    s->histories = number;
    return true;
}

static bool ask_conditions(struct talk *t)
{
    struct simulate_settings *const s = t->s;
    uint64_t number;
    if (!s->processes) {
        if (!ask_number(t, "How many processes would you like to run?",
                        "--processes N", PLUMB_MAX_PROCESSES, false, &number))
            return false;
        s->processes = (unsigned)number;
    }
    if (!s->operations) {
        if (!ask_number(t,
                        "On the average, how many operations do you want to "
                        "execute per process?",
                        "--operations N", MOST_OPERATIONS, false, &number))
            return false;
        s->operations = (unsigned)number;
    }
    return s->span != SPAN_UNKNOWN || ask_span(t);
}

bool simulate_ask(struct simulate_settings *s, struct simulate_answers *a,
                  bool (*wait)(struct simulate_settings *s, void *context),
                  void *context)
{
    struct talk t = { .s = s, .a = a };
    if (!s->defaults && !ask_objects(&t))
        return false;
    if (!s->quiet)
        fputs("Just a moment...\n", stderr);
    if (!wait(s, context))
        return false;
    if (s->input)
        return true;
    return s->defaults || (ask_conditions(&t) && (!t.asked || ask_start(&t)));
}
