/* test_shared_data.c - every recorded history is recognised and read.
 *
 * The files are not part of this project; without them there is nothing to
 * test.  What a file must yield follows from its lines alone: as many
 * operations as lines that begin one, which are counted here by plain search
 * for a mark. */
#include "histories.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

#define DATA "../shared/data/"

struct folder {
    const char *path;
    enum plumb_format format;
    const char *mark;  /* stands once in the call of each operation */
    const char *specs; /* the specifications its files may ask for  */
};

static const struct folder folders[] = {
    { "jepsen-etcd", PLUMB_FORMAT_JEPSEN, ":invoke", "cas-register" },
    { "knossos-edn/good", PLUMB_FORMAT_EDN, ":invoke", "cas-register" },
    { "knossos-edn/bad", PLUMB_FORMAT_EDN, ":invoke", "cas-register" },
    { "porcupine-kv", PLUMB_FORMAT_EDN, ":invoke", "map:init=\"\"" },
    { "limo/queue/safe", PLUMB_FORMAT_CALLRET, "] call ", "queue" },
    { "limo/queue/violation", PLUMB_FORMAT_CALLRET, "] call ", "queue" },
    { "limo/stack/safe", PLUMB_FORMAT_CALLRET, "] call ", "stack" },
    { "limo/stack/violation", PLUMB_FORMAT_CALLRET, "] call ", "stack" },
    { "violin/simple", PLUMB_FORMAT_CALLRET, "] call ", "stack queue" },
    { "fastlin", PLUMB_FORMAT_FASTLIN, NULL, "stack queue priority-queue:max" },
    { "fptlin", PLUMB_FORMAT_FPTLIN, NULL,
      "stack queue priority-queue:max set register:init=0 semaphore:n=0" },
};

struct file {
    char *data;
    size_t size;
};

static struct file load(const char *path)
{
    FILE *const in = fopen(path, "rb");
    struct file f = { NULL, 0 };
    assert_non_null(in);
    assert_int_equal(fseek(in, 0, SEEK_END), 0);
    f.size = (size_t)ftell(in);
    rewind(in);
    f.data = malloc(f.size + 1);
    assert_non_null(f.data);
    assert_int_equal(fread(f.data, 1, f.size, in), f.size);
    f.data[f.size] = '\0';
    fclose(in);
    return f;
}

static uint32_t count_marks(const struct file *f, const char *mark)
{
    uint32_t n = 0;
    for (const char *at = f->data; (at = strstr(at, mark)); at++)
        n++;
    return n;
}

/* Lines of an interval file that are neither blank nor comments. */
static uint32_t count_lines(const struct file *f)
{
    uint32_t n = 0;
    for (const char *at = f->data; *at; at = strchr(at, '\n') + 1) {
        n += *at != '#' && *at != '\n';
        if (!strchr(at, '\n'))
            break;
    }
    return n;
}

static void check_history(const struct folder *folder, const struct file *f,
                          const struct plumb_history *h)
{
    struct plumb_error err;
    const uint32_t expected =
        folder->mark ? count_marks(f, folder->mark) : count_lines(f);
    assert_true(expected > 0);
    assert_int_equal(h->count, expected);
    assert_int_equal(plumb_history_validate(h, &err), PLUMB_OK);
    assert_true(h->spec);
    assert_non_null(
        strstr(folder->specs, plumb_symbol_text(h->symbols, h->spec, NULL)));
}

static void check_file(const struct folder *folder, const char *path)
{
    struct file f = load(path);
    struct plumb_reader *r;
    struct plumb_history h;
    struct plumb_error err;
    enum plumb_status status =
        plumb_reader_open(&r, f.data, f.size, PLUMB_FORMAT_AUTO,
                          PLUMB_TIES_OF_FORMAT, NULL, &err);
    assert_int_equal(status, PLUMB_OK);
    assert_int_equal(plumb_reader_format(r), folder->format);
    status = plumb_reader_next(r, &h, &err);
    if (status != PLUMB_OK)
        fail_msg("%s:%u:%u: %s", path, (unsigned)err.line, (unsigned)err.column,
                 err.message);
    check_history(folder, &f, &h);
    plumb_history_release(&h);
    assert_int_equal(plumb_reader_next(r, &h, &err), PLUMB_END);
    plumb_reader_close(r);
    free(f.data);
}

static bool is_history(const char *name)
{
    return name[0] != '.' && !strstr(name, ".tsv") && !strstr(name, ".md");
}

static unsigned check_folder(const struct folder *folder)
{
    char path[512];
    unsigned files = 0;
    snprintf(path, sizeof path, DATA "%s", folder->path);
    DIR *const dir = opendir(path);
    assert_non_null(dir);
    for (const struct dirent *e; (e = readdir(dir));) {
        if (!is_history(e->d_name))
            continue;
        snprintf(path, sizeof path, DATA "%s/%s", folder->path, e->d_name);
        check_file(folder, path);
        files++;
    }
    closedir(dir);
    return files;
}

static void every_recorded_history_is_read_whole(void **state)
{
    (void)state;
    struct stat data;
    if (stat(DATA, &data) != 0)
        skip();
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        assert_true(check_folder(folders + i) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_recorded_history_is_read_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
