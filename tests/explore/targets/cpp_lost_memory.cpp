// explore: --leaks
// expect: leak
// says: leak: (heap|vector|std::vector).* was never freed
// explore: --leaks -- -DDELETED
// expect: no violation
/* What was put in place of another one is lost with all that it has; what is
 * local to a thread, or belongs to a global object, is not. */
#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

static std::atomic<std::vector<int> *> place;
static std::map<int, std::string> names;
thread_local std::vector<int> own;

static void put()
{
    own.push_back(1);
    std::vector<int> *const before =
        place.exchange(new std::vector<int>(100, 1));
#if defined(DELETED)
    delete before;
#else
    (void)before;
#endif
}

int main()
{
    names[1] = "a text that is too long to be kept in the string itself";
    std::thread t(put);
    put();
    t.join();
}
