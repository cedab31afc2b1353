// explore:
// expect: assertion failed
// says: initialises
//
// Who comes first initialises the variable, which is no error.
#include <cassert>

struct thing {
    int value;
    thing() : value(3)
    {
    }
    ~thing()
    {
    }
};

int main()
{
    static thing it;
    assert(it.value != 3);
    return 0;
}
