/* test_memory_limit.c - without --memory the limit is most of what is free. */
#include "app/console/memory_limit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cmocka.h>

static const uint64_t gigabyte = UINT64_C(1) << 30;

/* A machine made of files. */
static char root[] = "/tmp/plumb-machine-XXXXXX";

static void put(const char *path, const char *text)
{
    char whole[256];
    for (const char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
        snprintf(whole, sizeof whole, "%s%.*s", root, (int)(slash - path),
                 path);
        mkdir(whole, 0777);
    }
    snprintf(whole, sizeof whole, "%s%s", root, path);
    FILE *const to = fopen(whole, "w");
    assert_non_null(to);
    fputs(text, to);
    fclose(to);
}

static int begin(void **state)
{
    (void)state;
    memcpy(strrchr(root, '-') + 1, "XXXXXX", 6);
    return mkdtemp(root) ? 0 : -1;
}

static int end(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command); /* NOLINT(cert-env33-c): a name of ours */
}

static void put_machine(void)
{
    put("/proc/meminfo", "MemTotal:       16777216 kB\n"
                         "MemFree:         1048576 kB\n"
                         "MemAvailable:    8388608 kB\n");
}

static void nothing_known_is_no_limit(void **state)
{
    (void)state;
    assert_true(console_memory_free_below(root) == UINT64_MAX);
}

static void the_machine_says_what_is_free(void **state)
{
    (void)state;
    put_machine();
    assert_true(console_memory_free_below(root) == 8 * gigabyte);
}

static void a_control_group_has_less(void **state)
{
    (void)state;
    put_machine();
    put("/proc/self/cgroup", "0::/user.slice/me\n");
    put("/sys/fs/cgroup/user.slice/me/memory.max", "max\n");
    put("/sys/fs/cgroup/user.slice/me/memory.current", "1073741824\n");
    assert_true(console_memory_free_below(root) == 8 * gigabyte);
    put("/sys/fs/cgroup/user.slice/me/memory.max", "4294967296\n");
    assert_true(console_memory_free_below(root) == 3 * gigabyte);
    put("/sys/fs/cgroup/user.slice/me/memory.stat",
        "anon 1\ninactive_file 536870912\n");
    assert_true(console_memory_free_below(root) == 3 * gigabyte + gigabyte / 2);
}

static void so_may_one_that_it_is_part_of(void **state)
{
    (void)state;
    put_machine();
    put("/proc/self/cgroup", "0::/user.slice/me\n");
    put("/sys/fs/cgroup/user.slice/me/memory.max", "max\n");
    put("/sys/fs/cgroup/user.slice/memory.max", "2147483648\n");
    assert_true(console_memory_free_below(root) == 2 * gigabyte);
    put("/sys/fs/cgroup/memory.max", "1073741824\n");
    assert_true(console_memory_free_below(root) == gigabyte);
}

static void the_first_version_of_groups_is_read(void **state)
{
    (void)state;
    put_machine();
    put("/proc/self/cgroup", "5:cpu:/me\n4:memory:/me\n0::/\n");
    put("/sys/fs/cgroup/memory/me/memory.limit_in_bytes", "3221225472\n");
    put("/sys/fs/cgroup/memory/me/memory.usage_in_bytes", "2147483648\n");
    assert_true(console_memory_free_below(root) == gigabyte);
    put("/sys/fs/cgroup/memory/me/memory.usage_in_bytes", "9147483648\n");
    assert_true(console_memory_free_below(root) == 0);
}

static void what_the_user_says_counts(void **state)
{
    (void)state;
    assert_int_equal(console_memory_limit(5000), 5000);
}

/* A sanitizer needs more than such a limit leaves. */
#ifdef SANITIZED
enum { IS_SANITIZED = 1 };
#else
enum { IS_SANITIZED = 0 };
#endif

static void resource_limits_count(void **state)
{
    struct rlimit was, less;
    (void)state;
    if (IS_SANITIZED)
        skip();
    assert_int_equal(getrlimit(RLIMIT_DATA, &was), 0);
    less = was;
    less.rlim_cur = gigabyte;
    if (was.rlim_max < gigabyte || setrlimit(RLIMIT_DATA, &less) != 0)
        skip();
    assert_true(console_memory_limit(0) > 0 &&
                console_memory_limit(0) <= gigabyte);
    setrlimit(RLIMIT_DATA, &was);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_known_is_no_limit, begin, end),
        cmocka_unit_test_setup_teardown(the_machine_says_what_is_free, begin,
                                        end),
        cmocka_unit_test_setup_teardown(a_control_group_has_less, begin, end),
        cmocka_unit_test_setup_teardown(so_may_one_that_it_is_part_of, begin,
                                        end),
        cmocka_unit_test_setup_teardown(the_first_version_of_groups_is_read,
                                        begin, end),
        cmocka_unit_test(what_the_user_says_counts),
        cmocka_unit_test(resource_limits_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
