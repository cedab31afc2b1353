/* library.c - libplumb in a program of one's own.
 *
 *     cc library.c $(pkg-config --cflags --libs plumb) && ./a.out */
#include <plumb/plumb.h>
#include <stdio.h>

static const char text[] = "q enq(1) P1\nq ok() P1\n"
                           "q deq() P2\nq empty() P2\n";

int main(void)
{
    const struct plumb_check_options options = { .jobs = 1 };
    struct plumb_error err;
    struct plumb_spec *spec = NULL;
    struct plumb_reader *reader = NULL;
    struct plumb_history h = { 0 };
    struct plumb_answer answer = { 0 };

    if (plumb_spec_parse("queue", &spec, &err) == PLUMB_OK &&
        plumb_reader_open(&reader, text, sizeof text - 1, PLUMB_FORMAT_AUTO,
                          PLUMB_TIES_OF_FORMAT, NULL, &err) == PLUMB_OK &&
        plumb_reader_next(reader, &h, &err) == PLUMB_OK &&
        plumb_check(&h, spec, &options, &answer, &err) == PLUMB_OK)
        puts(answer.verdict == PLUMB_LINEARIZABLE ? "linearizable"
                                                  : "not linearizable");
    else
        fprintf(stderr, "%d:%d: %s\n", (int)err.line, (int)err.column,
                err.message);

    plumb_answer_release(&answer);
    plumb_history_release(&h);
    plumb_reader_close(reader);
    plumb_spec_free(spec);
    return 0;
}
