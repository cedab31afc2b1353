/* tell.h - a story in the words of a format, with what people put around. */
#ifndef TESTS_STREAMS_TELL_H
#define TESTS_STREAMS_TELL_H

#include "base/text.h"
#include "story.h"
#include <plumb/format.h>

struct teller {
    enum plumb_format format;
    unsigned kinds; /* a bit for each */
    struct plot limits;
    void (*tell)(const struct story *s, struct plumb_base_rng *rng,
                 struct plumb_base_text *out);
};

extern const struct teller tellers[];
extern const unsigned teller_count;

/* The specification, where the text does not name one. */
const char *spec_of(enum kind kind);

void tell_native(const struct story *s, struct plumb_base_rng *rng,
                 struct plumb_base_text *out);
void tell_jsonl(const struct story *s, struct plumb_base_rng *rng,
                struct plumb_base_text *out);
void tell_callret(const struct story *s, struct plumb_base_rng *rng,
                  struct plumb_base_text *out);
void tell_fastlin(const struct story *s, struct plumb_base_rng *rng,
                  struct plumb_base_text *out);
void tell_fptlin(const struct story *s, struct plumb_base_rng *rng,
                 struct plumb_base_text *out);
void tell_jepsen(const struct story *s, struct plumb_base_rng *rng,
                 struct plumb_base_text *out);
void tell_edn(const struct story *s, struct plumb_base_rng *rng,
              struct plumb_base_text *out);

/* ---- what they share ---- */

/* "enq" and so on. */
const char *name_of(enum kind kind, enum deed deed);

/* In quotes, with these characters escaped by a backslash: \n and \t always. */
void tell_string(struct plumb_base_text *out, const char *text);
bool is_word(const char *text);

static inline bool chance(struct plumb_base_rng *rng, uint32_t percent)
{
    return plumb_base_rng_chance(rng, percent);
}

/* Before the first line, and between lines: how a text as a whole is written. */
struct manner {
    const char *newline; /* \n or \r\n */
    bool mark;           /* a byte order mark */
    bool unended;        /* the last line has no end */
};
struct manner any_manner(struct plumb_base_rng *rng);
void begin_text(const struct manner *m, struct plumb_base_text *out);
void end_text(const struct manner *m, struct plumb_base_text *out);

#endif
