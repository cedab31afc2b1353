/* simulate_spec.c - the specification that a simulation is judged by. */
#include "simulate_spec.h"

#include "app/console/say.h"
#include "app/objects/guard.h"

struct plumb_spec *simulate_spec(const struct simulate_settings *s)
{
    struct plumb_spec *spec = NULL;
    struct plumb_error err = { 0 };
    if (!s->plugin) {
        if (plumb_spec_parse(s->spec, &spec, &err) != PLUMB_OK)
            console_say("plumb simulate: -s %s: %s", s->spec, err.message);
        return spec;
    }
    const struct plumb_user_spec *const user = objects_plugin_load(s->plugin);
    if (user &&
        plumb_spec_from_user(objects_guard_spec(user), &spec, &err) != PLUMB_OK)
        console_say("%s: %s", s->spec, err.message);
    return spec;
}
