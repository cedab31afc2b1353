/* printing.cc - a target with a stream of the library, for test_imports.c. */
#include <iostream>

extern "C" void print(int n)
{
    std::cout << n << std::endl;
}
