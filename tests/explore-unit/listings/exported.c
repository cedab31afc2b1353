/* exported.c - what a part of a target may do that was compiled without hooks:
 *
 *     cc -O0 -fPIC -shared -nostdlib exported.c -o exported.so
 *     objdump -h -T -R -w exported.so
 *     objdump -d -w --no-show-raw-insn exported.so
 *
 * Variables that others may see are reached through a table, and without
 * optimisation arguments through the stack.  Constants and what is a function's
 * own are no business of hooks. */
int count;
const int numbers[4] = { 1, 2, 3, 4 };

void increment(void)
{
    count++;
}

int read_count(void)
{
    return count;
}

int read_pointer(const int *p)
{
    return *p;
}

int constant(int i)
{
    return numbers[i & 3];
}

int own(int i)
{
    volatile int array[4] = { i, i, i, i };
    return array[i & 3];
}
