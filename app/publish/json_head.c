/* json_head.c - what each line of JSON begins with. */
#include "publication.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct plumb_report_json_head publish_json_head(const char *command,
                                                const char *subject,
                                                const char *file,
                                                char *absolute)
{
    const bool is = file && strcmp(file, "-") != 0 && realpath(file, absolute);
    return (struct plumb_report_json_head){
        .command = command,
        .subject = subject,
        .given = file,
        .absolute = is ? absolute : NULL,
    };
}

void publish_json_begin(const char *command, const char *subject,
                        const char *file, struct plumb_base_text *out)
{
    char absolute[PATH_MAX];
    const struct plumb_report_json_head head =
        publish_json_head(command, subject, file, absolute);
    plumb_report_json_begin_line(&head, out);
}
