// explore: --preemptions all --random 3
// expect: assertion failed
// explore: --random 2
// expect: no violation
//
// A generator that is not predictable, and one that is made from it.
#include <cassert>
#include <random>

static int last;

int main()
{
    std::random_device device;
    last = (int)device();
    assert(last != 2);
    return 0;
}
