// explore:
// expect: use after free
// says: vtable for shapes::B
// machine: x86_64
/* An object is deleted while another thread calls a function of its class. */
#include <thread>

namespace shapes
{
struct A {
    virtual ~A() = default;
    virtual int corners()
    {
        return 0;
    }
};
struct B : A {
    int corners() override
    {
        return 4;
    }
};
} // namespace shapes

int main()
{
    shapes::A *const shape = new shapes::B;
    std::thread other([shape] { delete shape; });
    const int corners = shape->corners();
    other.join();
    return corners;
}
