/* chatty.c - a target that prints in every way, for stdio_shim.c. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void chat(void);
void chat_checked(void);
void print_long(void);
void print_to(FILE *stream);

static void pass_on(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
}

void chat(void)
{
    printf("a%d ", 1);
    fprintf(stderr, "b%s ", "2");
    pass_on("c%.1f ", 3.0);
    puts("d");
    putchar('e');
    fputs("f", stdout);
    fputc('g', stderr);
    putc('h', stdout);
    if (fwrite("ijk", 1, 3, stdout) != 3 || write(1, "l\n", 2) != 2)
        puts("!");
    errno = ENOENT;
    perror("m");
    dprintf(2, "n%c", 'o');
    fputs_unlocked("p", stdout);
    setvbuf(stdout, NULL, _IONBF, 0);
    fflush(stdout);
    fflush(NULL);
}

int __printf_chk(int flag, const char *format, ...);
int __fprintf_chk(FILE *stream, int flag, const char *format, ...);

void chat_checked(void)
{
    __printf_chk(1, "%s-", "r");
    __fprintf_chk(stderr, 1, "%s", "s");
}

void print_long(void)
{
    char text[301];
    memset(text, 'x', 300);
    text[300] = 0;
    printf("%s%s", text, text);
    puts(text);
}

void print_to(FILE *stream)
{
    fprintf(stream, "%d", 12);
}
