// explore: --preemptions all
// expect: undecided \(not modelled
// explore: --preemptions all --strategy dpor
// expect: undecided \(not modelled
// explore: --strategy dfs
// expect: undecided \(not modelled
#include <unistd.h>

static int touched;

int main(void)
{
    touched++;
    return fork() == 0;
}
