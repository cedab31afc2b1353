// explore: --preemptions all
// expect: assertion failed
// explore: --preemptions all --strategy dpor
// expect: assertion failed
// explore: --strategy dfs
// expect: assertion failed
//
// Each of the numbers comes: then the assertion fails.
#include <assert.h>
#include <stdlib.h>
#include <sys/random.h>

int main(void)
{
    unsigned char bytes[4];
    srand(1);
    const int a = rand() % 2;
    const long b = random() % 2;
    getrandom(bytes, sizeof bytes, 0);
    assert(!(a == 1 && b == 0 && bytes[3] == 1));
    return 0;
}
