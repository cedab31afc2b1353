/* assembly_notes.c - see assembly_notes.h. */
#include "assembly_notes.h"

#include "app/console/input.h"
#include "runtime/common/elf_file.h"
#include <stdio.h>
#include <string.h>

static const char section_name[] = ".plumb.assembly";

static bool has_place(const struct binary_assembly_notes *n, const char *place)
{
    for (unsigned i = 0; i < n->places; i++)
        if (strcmp(n->place[i], place) == 0)
            return true;
    return false;
}

/* "queue.c:12: incq (%rdi)".  What is inlined stands in many places. */
static void add_note(struct binary_assembly_notes *n, const char *text,
                     size_t length)
{
    char place[ASSEMBLY_PLACE];
    const char *const end = memmem(text, length, ": ", 2);
    const size_t most = end ? (size_t)(end - text) : length;
    snprintf(place, sizeof place, "%.*s",
             most < sizeof place ? (int)most : (int)sizeof place - 1, text);
    if (has_place(n, place))
        return;
    if (n->places < ASSEMBLY_PLACES)
        memcpy(n->place[n->places++], place, sizeof place);
    else
        n->more = true;
}

static void read_texts(struct binary_assembly_notes *n, const char *text,
                       size_t size)
{
    const char *const end = text + size;
    while (text < end) {
        const size_t length = strnlen(text, (size_t)(end - text));
        if (length == 6 && memcmp(text, "looked", 6) == 0)
            n->looked = true;
        else if (length && *text == '?')
            n->at_run_time = true;
        else if (length)
            add_note(n, text, length);
        text += length + 1;
    }
}

void binary_assembly_notes_read(const char *path,
                                struct binary_assembly_notes *n)
{
    struct runtime_elf f;
    runtime_elf_section s;
    *n = (struct binary_assembly_notes){ .looked = false };
    if (!runtime_elf_open(&f, path))
        return;
    if (runtime_elf_section_named(&f, section_name, &s) &&
        s.sh_type == SHT_PROGBITS)
        read_texts(n, f.data + s.sh_offset, (size_t)s.sh_size);
    runtime_elf_close(&f);
}

bool binary_assembly_notes_are_in(const char *path)
{
    struct plumb_error err;
    struct console_input f;
    if (console_input_open(&f, path, NULL, &err) != PLUMB_OK)
        return false;
    const bool found = f.size > 0 && memmem(f.data, f.size, section_name,
                                            sizeof section_name) != NULL;
    console_input_close(&f);
    return found;
}
