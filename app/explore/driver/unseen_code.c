/* unseen_code.c - see unseen_code.h.
 *
 * The program in front of the assembler puts hooks into inline assembly, and
 * notes what it cannot follow, with file and line.  Code without hooks is found
 * by disassembly, and so are instructions in what was compiled elsewhere. */
#include "unseen_code.h"

#include "app/binary/assembly.h"
#include "app/binary/assembly_notes.h"
#include <stdio.h>
#include <string.h>

enum { TOLD = 3 };

static const char *without_folders(const char *place)
{
    const char *const slash = strrchr(place, '/');
    return slash ? slash + 1 : place;
}

static void say_notes(struct exploration *e,
                      const struct binary_assembly_notes *n)
{
    const unsigned told = n->places < TOLD ? n->places : TOLD;
    char *const to = e->unseen;
    const size_t room = sizeof e->unseen;
    size_t used = (size_t)snprintf(to, room, "inline assembly is not seen: ");
    for (unsigned i = 0; i < told; i++)
        used += (size_t)snprintf(to + used, room - used, "%s%.50s",
                                 i ? ", " : "", without_folders(n->place[i]));
    if (told < n->places || n->more)
        snprintf(to + used, room - used, ", ...");
}

static void say_found(struct exploration *e,
                      const struct binary_assembly *found)
{
    if (found->instructions)
        snprintf(e->unseen, sizeof e->unseen, "assembly is not seen: %.120s%s",
                 found->instruction[0], found->instructions > 1 ? ", ..." : "");
    else if (found->functions)
        snprintf(e->unseen, sizeof e->unseen,
                 "compiled without hooks: %.120s%s", found->function[0],
                 found->functions > 1 ? ", ..." : "");
}

void explore_unseen_code_find(struct exploration *e)
{
    struct binary_assembly_notes notes;
    struct binary_assembly found;
    binary_assembly_notes_read(e->target->object, &notes);
    e->may_be_unseen = notes.at_run_time;
    if (notes.places)
        say_notes(e, &notes);
    else if (binary_assembly_look(e->target->object, &found))
        say_found(e, &found);
    else
        snprintf(e->unseen, sizeof e->unseen,
                 "cannot search for code without hooks: objdump (binutils) "
                 "failed or is not installed");
}
