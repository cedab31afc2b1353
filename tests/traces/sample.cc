// sample.cc - names of C++: namespaces, classes, templates, std::atomic.
#include <atomic>
#include <mutex>

namespace lib
{
template <class T> class Stack
{
public:
    struct Node {
        std::atomic<Node *> next;
        T value;
        long more[3];
    };
    std::atomic<Node *> head{ nullptr };
    std::mutex mutex;
    static int made;
    void push(T value)
    {
        Node *n = new Node;
        n->value = value;
        Node *h = head.load();
        do
            n->next.store(h);
        while (!head.compare_exchange_weak(h, n));
        made++;
    }
};
template <class T> int Stack<T>::made;
std::atomic<long> counter;
std::atomic<bool> flag;
} // namespace lib

lib::Stack<long> stack;
struct Base {
    int b;
};
struct Derived : Base {
    int d;
};
Derived derived;

extern "C" void push(long value);
extern "C" void push(long value)
{
    stack.push(value);
    lib::counter.fetch_add(1);
    lib::flag = true;
    derived.d++;
    derived.b--;
}
extern "C" void *counter_address;
void *counter_address = &lib::counter;
