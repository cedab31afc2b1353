/* story.h - what happened to some objects, before anybody wrote it down.
 *
 * Processes take turns; an operation takes effect at its call or at its
 * response.  A false answer now and then makes a story that may be wrong: the
 * deciders say. */
#ifndef TESTS_STREAMS_STORY_H
#define TESTS_STREAMS_STORY_H

#include "base/rng.h"
#include <plumb/history.h>
#include <stdbool.h>

enum kind { REGISTER, QUEUE, STACK, SET, MAP, MUTEX, KINDS };

enum deed { WRITE, READ, CAS, ADD, TAKE, INSERT, DELETE, HAS, LOCK, UNLOCK };

enum {
    PROCESSES = 5,
    OBJECTS = 3,
    ITEMS = 12,
    LONGEST = 80,
    MOST_EVENTS = 400
};

/* A value: nil, a boolean, a number, or a text. */
struct item {
    enum plumb_tag tag;
    int64_t number;
    char text[LONGEST];
};

struct event {
    bool call;
    enum deed deed;
    enum plumb_outcome outcome; /* of a response */
    unsigned process, object;
    unsigned nargs;
    struct item arg[2];
    bool answers, empty; /* a response with an item; or that nothing is there */
    struct item answer;
};

struct story {
    enum kind kind;
    unsigned objects;
    bool words; /* texts are words: letters, digits, _ */
    unsigned count;
    struct event event[MOST_EVENTS];
};

/* What may be told of it is limited by whoever tells. */
struct plot {
    enum kind kind;
    unsigned objects, events;
    bool words, numbers; /* see above; and no texts at all */
    bool outcomes;       /* some fail, of some nobody knows */
    bool lies;
};

void make_story(struct story *s, const struct plot *plot,
                struct plumb_base_rng *rng);

bool same_item(const struct item *a, const struct item *b);

#endif
