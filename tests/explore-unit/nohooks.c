/* nohooks.c - compiled without hooks, for test_imports.c. */
int without_hooks(int *at);

int without_hooks(int *at)
{
    return ++*at;
}
