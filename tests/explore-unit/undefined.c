/* undefined.c - a target that lacks a source file, for test_imports.c. */
extern int elsewhere;
int forgotten(int);
int undefined(void);

int undefined(void)
{
    return forgotten(elsewhere++);
}
