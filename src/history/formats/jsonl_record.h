/* jsonl_record.h - a line of the format jsonl as a record.
 *
 * A line is read as a whole, because its keys come in any order; which keys are
 * there then tells what it is. */
#ifndef PLUMB_HISTORY_FORMATS_JSONL_RECORD_H
#define PLUMB_HISTORY_FORMATS_JSONL_RECORD_H

#include "history/builder.h"
#include "json_scan.h"

enum plumb_history_jsonl_key {
    KEY_PLUMB,
    KEY_SPEC,
    KEY_TYPE,
    KEY_PROCESS,
    KEY_OBJECT,
    KEY_F,
    KEY_ARGS,
    KEY_TERM,
    KEY_RESULTS,
    KEY_TIME,
    KEY_CALL,
    KEY_RETURN,
    KEYS
};

#define BIT(key) (1u << (key))

/* What a line can be. */
enum plumb_history_jsonl_kind {
    HEADER,
    INVOKE,
    RETURN,
    NO_RETURN,
    WHOLE,
    KINDS
};

enum plumb_history_jsonl_type {
    TYPE_INVOKE,
    TYPE_OK,
    TYPE_FAIL,
    TYPE_INFO,
    TYPES
};

struct plumb_history_jsonl_values {
    size_t count;
    struct plumb_value value[UINT8_MAX];
};

struct plumb_history_jsonl_record {
    unsigned has;            /* a bit per key       */
    const char *place[KEYS]; /* where its value is  */
    uint32_t symbol[KEYS];   /* of those with names */
    int64_t number[KEYS];    /* of those with times */
    enum plumb_history_jsonl_type type;
    bool returns; /* "return" is not null */
    struct plumb_history_jsonl_values args, results;
    struct plumb_origin origin;
};

struct plumb_history_jsonl_line {
    struct plumb_history_json json;
    struct plumb_builder *builder;
    struct plumb_history_jsonl_record record;
};

/* Read the line into l->record.  This and the others return false after an
 * error, which is then in l->json.err. */
bool plumb_history_jsonl_read(struct plumb_history_jsonl_line *l);

enum plumb_history_jsonl_kind plumb_history_jsonl_kind(
    const struct plumb_history_jsonl_record *r);

/* Does the record have the keys that the kind must have, and no others than it
 * may have? */
bool plumb_history_jsonl_check(struct plumb_history_jsonl_line *l,
                               enum plumb_history_jsonl_kind kind);

#endif
