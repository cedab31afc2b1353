# Processes that the object forks end with it: they hold the pipe open, and
# would have the reader wait.
command -v cc >/dev/null || exit 77
cat >forks.c <<'END'
#include <plumb/object.h>
#include <unistd.h>

static int forked;

static void inc(plumb_invocation *i)
{
    (void)i;
    if (forked++ < 3 && fork() == 0)
        sleep(1000);
}

PLUMB_OBJECT(.name = "C", .spec = "counter", .operations = { { "inc", inc } });
END
plumb simulate -c forks.c -d -q --histories 50 2>&1 | cat
