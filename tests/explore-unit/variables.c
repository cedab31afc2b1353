/* variables.c - a target with variables of all kinds, for test_image.c. */
#include <stdlib.h>

int brought_value(void); /* in brought.c */
void brought_set(int value);

/* Found by name. */
char *get_made(void);
int *get_own(void);
int *get_own_zero(void);
int get_brought(void);
void set_brought(int value);
extern int number, zero;
extern char large[1 << 20];
extern char *const relocated[];
extern _Thread_local int own, own_zero;

int number = 7;
int zero;
char large[1 << 20];
char *const relocated[] = { large, large + 1 };
_Thread_local int own = 5;
_Thread_local int own_zero;
static char *made;

__attribute__((constructor)) static void make(void)
{
    made = malloc(100);
    number++;
}

char *get_made(void)
{
    return made;
}

int *get_own(void)
{
    return &own;
}

int *get_own_zero(void)
{
    return &own_zero;
}

int get_brought(void)
{
    return brought_value();
}

void set_brought(int value)
{
    brought_set(value);
}
