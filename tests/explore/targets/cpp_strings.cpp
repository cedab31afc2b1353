// explore: -- -O0
// expect: no violation
// explore: -- -O0 -std=c++20
// expect: no violation
/* Without optimisation the allocator of a string is a function of libstdc++. */
#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static std::mutex lock;
static std::vector<std::string> lines;

static void add(const std::string &line)
{
    const std::lock_guard<std::mutex> guard(lock);
    lines.push_back(line + ", " + std::to_string(lines.size()));
}

int main()
{
    std::thread other(add, std::string("a line from the other"));
    add("a line from the first");
    other.join();
    assert(lines.size() == 2 && lines[1].back() == '1');
}
