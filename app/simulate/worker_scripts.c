/* worker_scripts.c - an object's .init and .final, ready to be invoked. */
#include "worker_scripts.h"

#include "app/console/say.h"
#include "record/script.h"

static bool read_one(const struct objects_target *t,
                     const struct plumb_object *object, const char *member,
                     const char *text, struct plumb_record_entry *entry,
                     struct worker_script *script)
{
    struct plumb_record_script parsed;
    struct plumb_error err = { 0 };
    *script = (struct worker_script){ .entry = entry };
    if (!text)
        return true;
    if (plumb_record_script_parse(&parsed, text, object, &err) != PLUMB_OK)
        return console_fails("%s: its .%s, at column %u: %s", t->given, member,
                             (unsigned)err.column, err.message);
    const bool fits = parsed.count <= SCRIPT_ROOM && parsed.processes == 1;
    for (size_t n = 0; fits && n < parsed.count; n++)
        plumb_record_script_entry(&parsed.step[n], &entry[n]);
    script->count = (unsigned)parsed.count;
    plumb_record_script_release(&parsed);
    if (!fits)
        console_say("%s: its .%s must be at most %d operations of one process",
                    t->given, member, SCRIPT_ROOM);
    return fits;
}

bool simulate_worker_scripts_read(struct simulate_worker_scripts *s,
                                  const struct objects_target *t,
                                  const struct plumb_object *object)
{
    static struct plumb_record_entry init[SCRIPT_ROOM], final[SCRIPT_ROOM];
    return read_one(t, object, "init", object->init, init, &s->init) &&
           read_one(t, object, "final", object->final, final, &s->final);
}
