// explore:
// expect: assertion failed
// says: ^    a constructor of C$
// explore:
// expect: assertion failed
// says: ^    and one of C\+\+$
// explore:
// expect: assertion failed
// says: ^    then main$

/* What is printed while the target is loaded is kept, too. */
#include <cassert>
#include <cstdio>
#include <unistd.h>

namespace
{
struct early {
    early()
    {
        static const char text[] = "and one of C++\n";
        setvbuf(stdout, nullptr, _IONBF, 0);
        if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
            perror("write");
    }
};

__attribute__((constructor(101))) void earlier()
{
    puts("a constructor of C");
}

early one;
} // namespace

int main()
{
    std::printf("then main\n");
    assert(!"shown");
}
