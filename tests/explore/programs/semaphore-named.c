// explore:
// expect: undecided \(not modelled: sem_open
//
// What is not modelled is refused by its name, though nothing came before it
// that has a hook.
#include <fcntl.h>
#include <semaphore.h>

int main(void)
{
    sem_t *const s = sem_open("/plumb-test", O_CREAT, 0600, 1);
    return sem_wait(s);
}
