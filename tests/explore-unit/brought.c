/* brought.c - a library that a target brings, for test_image.c. */
int brought_value(void);
void brought_set(int value);

static int value = 3;

int brought_value(void)
{
    return value;
}

void brought_set(int new)
{
    value = new;
}
