// explore: --preemptions all
// expect: abort
// explore: --preemptions all --strategy dpor
// expect: abort
// explore: --strategy dfs
// expect: abort
#include <stdlib.h>

int main(void)
{
    abort();
}
