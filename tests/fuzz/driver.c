/* Runs a fuzz target over files, without libFuzzer: each argument is a file, or a folder of files.
 * Ends with 1 where there is none; a target that finds a mistake aborts, after the name of its file. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FILE_MAX = 1 << 20, PATH_MAX_BYTES = 4096 };

static long ran;

static void run_file(const char *path)
{
    FILE *const in = fopen(path, "rb");
    uint8_t *const data = malloc(FILE_MAX);
    if (!in || !data) {
        perror(path);
        exit(1);
    }
    const size_t size = fread(data, 1, FILE_MAX, in);
    fclose(in);
    fprintf(stderr, "%s\n", path);
    uint8_t *const exact = malloc(size ? size : 1); /* so that a sanitiser sees where it ends */
    if (!exact) exit(1);
    memcpy(exact, data, size);
    free(data);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    ++ran;
}

static void run_path(const char *path)
{
    DIR *const folder = opendir(path);
    if (!folder) {
        run_file(path);
        return;
    }
    for (struct dirent *e; (e = readdir(folder)) != NULL;) {
        char inside[PATH_MAX_BYTES];
        if (e->d_name[0] == '.') continue;
        snprintf(inside, sizeof inside, "%s/%s", path, e->d_name);
        run_file(inside);
    }
    closedir(folder);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i) run_path(argv[i]);
    printf("%ld inputs\n", ran);
    return ran == 0;
}
