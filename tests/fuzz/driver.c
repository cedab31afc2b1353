/* driver.c - a main for the fuzz targets where libFuzzer brings none.
 *
 *     fuzz_edn FILE|FOLDER...     each file once: a regression test
 *     fuzz_edn < FILE             one input; what afl-fuzz runs
 *
 * Built with afl-clang-fast it loops over inputs in one process. */
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __AFL_FUZZ_TESTCASE_LEN /* AFL's macros are not as strict as we are */
#pragma clang diagnostic ignored "-Wextra-semi"
#pragma clang diagnostic ignored "-Wgnu-statement-expression"
#pragma clang diagnostic ignored "-Wconversion"
__AFL_FUZZ_INIT();
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CHUNK = 65536 };

/* Run on a block of exactly its size, so that a sanitizer sees the end. */
static void run(const uint8_t *data, size_t size)
{
    uint8_t *const exact = malloc(size ? size : 1);
    if (!exact)
        abort();
    memcpy(exact, data, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

static void run_stream(FILE *in)
{
    size_t size = 0, capacity = 0, got;
    uint8_t *data = NULL;
    do {
        if (capacity - size < CHUNK) {
            capacity = 2 * capacity + CHUNK;
            data = realloc(data, capacity);
            if (!data)
                abort();
        }
        got = fread(data + size, 1, CHUNK, in);
        size += got;
    } while (got);
    run(data, size);
    free(data);
}

static int run_file(const char *path)
{
    FILE *const in = fopen(path, "rb");
    if (!in) {
        perror(path);
        return 0;
    }
    run_stream(in);
    fclose(in);
    return 1;
}

static int run_path(const char *path)
{
    char file[4096];
    int files = 0;
    DIR *const folder = opendir(path);
    if (!folder)
        return run_file(path);
    for (const struct dirent *e; (e = readdir(folder));) {
        if (e->d_name[0] == '.')
            continue;
        snprintf(file, sizeof file, "%s/%s", path, e->d_name);
        files += run_file(file);
    }
    closedir(folder);
    return files;
}

int main(int argc, char **argv)
{
    int files = 0;
#ifdef __AFL_FUZZ_TESTCASE_LEN
    if (argc == 1) {
        __AFL_INIT();
        const unsigned char *const input = __AFL_FUZZ_TESTCASE_BUF;
        while (__AFL_LOOP(10000))
            run(input, (size_t)__AFL_FUZZ_TESTCASE_LEN);
        return 0;
    }
#endif
    if (argc == 1) {
        run_stream(stdin);
        return 0;
    }
    for (int i = 1; i < argc; i++) {
        const int here = run_path(argv[i]);
        if (!here)
            fprintf(stderr, "%s: nothing to run\n", argv[i]);
        files += here;
    }
    printf("%d inputs\n", files);
    return files ? 0 : 1;
}
