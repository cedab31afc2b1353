// explore:
// expect: no violation
// explore: -- -DNO_CHECK
// expect: use after free

// A cell that is replaced and freed while others read it.  Each thread has a
// record of its own, which is found by a thread_local, and says there what it
// reads; who replaces the cell waits until nobody does.  NO_CHECK reads without
// looking whether the cell is still the newest.
#include <atomic>
#include <cassert>
#include <thread>

namespace
{

struct Cell {
    std::atomic<int> value;
    explicit Cell(int v) : value(v)
    {
    }
};

struct Record {
    std::atomic<const Cell *> hazard{ nullptr };
};

Record records[2];
std::atomic<int> used{ 0 };
std::atomic<Cell *> newest{ nullptr };

Record &own_record()
{
    thread_local Record *const own = &records[used.fetch_add(1)];
    return *own;
}

int read()
{
    Record &own = own_record();
    const Cell *cell;
    do {
        cell = newest.load();
        own.hazard.store(cell);
#ifdef NO_CHECK
        break;
#endif
    } while (newest.load() != cell);
    const int value = cell->value.load();
    own.hazard.store(nullptr);
    return value;
}

void replace(int value)
{
    Cell *const old = newest.exchange(new Cell(value));
    for (const Record &record : records)
        while (record.hazard.load() == old)
            std::this_thread::yield();
    delete old;
}

} // namespace

int main()
{
    newest.store(new Cell(1));
    std::thread reader([] {
        const int value = read();
        assert(value == 1 || value == 2);
    });
    std::thread writer([] { replace(2); });
    reader.join();
    writer.join();
    delete newest.load();
    return 0;
}
