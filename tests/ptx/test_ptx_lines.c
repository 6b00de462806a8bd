/* Lines of PTX with random edits: each is refused with its line and a reason, or runs within a limit of
 * instructions and ends with a status. A few thousand as a test; by hand as many as one likes, of any files:
 *
 *     CUTLET_LINES=10000000 CUTLET_SEED=1 CUTLET_PTX=a.ptx:b.ptx build/tests/test_ptx_lines
 *
 * The files of docs/proof.md, in this order, by nvcc -arch=sm_90a -ptx: tests/grid/cluster_kernels,
 * tests/grid/grid_kernels, examples/vector/layer_norm, tests/mma/mma_kernels, device/gemm/mma_sync,
 * tests/copy/tma_kernels, tests/mma/wgmma_kernels. */
#include "dice.h"
#include "test.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cutlet/host/ptx.h>

enum { LINES = 1 << 18, LONG = 400, REGISTERS = 16, INSTRUCTIONS = 200 };

static char *line[LINES];
static int lines;

/* Keeps the instructions of a file. A register's number is taken modulo REGISTERS, and there is one label. */
static void read_lines(const char *path)
{
    char from[LONG], to[2 * LONG];
    FILE *const file = fopen(path, "r");
    if (!file) fail_msg("%s cannot be read", path);
    while (lines < LINES && fgets(from, sizeof from, file)) {
        char *end = to;
        if (from[0] != '\t' || from[1] == '.' || !strchr(from, ';')) continue;
        for (const char *at = from; *at;) {
            const int named = at > from && isalpha((unsigned char)at[-1]) &&
                              memchr(from, '%', (size_t)(at - from));
            if (isdigit((unsigned char)*at) && named)
                end += sprintf(end, "%ld", strtol(at, (char **)&at, 10) % REGISTERS);
            else if (*at == '$')
                for (end += sprintf(end, "$L");
                     *at == '$' || *at == '_' || isalnum((unsigned char)*at);)
                    ++at;
            else *end++ = *at++;
        }
        *end = '\0';
        line[lines++] = strdup(to);
    }
    fclose(file);
}

/* One edit: a character goes, comes or changes, or a piece of another line takes its place. */
static void edit(char *text, dice *d)
{
    const char *const other = line[dice_int(d, 0, lines - 1)];
    const size_t length = strlen(text), place = (size_t)dice_int(d, 0, (int64_t)length),
                 from = (size_t)dice_int(d, 0, (int64_t)strlen(other));
    size_t gone = (size_t)dice_int(d, 0, 4), come = (size_t)dice_int(d, 0, 9);
    const char one[2] = {(char)dice_int(d, 1, 127), '\0'};
    const char *piece = other + from;
    if (dice_int(d, 0, 1)) piece = one, come = 1;
    if (gone > length - place) gone = length - place;
    if (come > strlen(piece)) come = strlen(piece);
    if (length + come + 1 >= 2 * LONG) return;
    memmove(text + place + come, text + place + gone, length - place - gone + 1);
    memcpy(text + place, piece, come);
}

/* Loads the kernel of this line, and runs what was loaded; returns whether it was. */
static int load_and_run(const char *text)
{
    const ct_dim3 one = {1, 1, 1}, warp = {32, 1, 1};
    const uint64_t argument = 0;
    char message[CT_MESSAGE_BYTES] = "";
    int number = 0, length = 0;
    ct_ptx *const module = ct_ptx_load(text, message);
    const ct_grid_kernel *const kernel = module ? ct_ptx_kernel_at(module, 0) : NULL;
    if (!module) {
        if (sscanf(message, "line %d: %n", &number, &length) != 1 || !length || !message[length])
            fail_msg("refused by \"%s\":\n%s", message, text);
        return 0;
    }
    const ct_grid_options options = {0};
    ct_grid_report report = {0};
    ct_ptx_limit(module, INSTRUCTIONS);
    if (kernel &&
        ct_grid_launch(kernel, one, warp, 1024, &argument, sizeof argument, &options, &report))
        if (!report.message[0]) fail_msg("no message:\n%s", text);
    ct_grid_report_free(&report);
    ct_ptx_free(module);
    return 1;
}

TEST(edited_lines)
{
    static const char head[] =
        ".version 9.0\n.target sm_90a\n.address_size 64\n.extern .shared .align 16 .b8 memory[];\n"
        ".entry k(.param .u64 a) {\n.reg .b16 %rs<16>; .reg .b32 %r<16>; .reg .b64 %rd<16>; .reg .f32 %f<16>;\n"
        ".reg .f64 %fd<16>; .reg .pred %p<16>; .reg .b32 %h<16>;\n";
    const char *const count = getenv("CUTLET_LINES"), *const seed = getenv("CUTLET_SEED"),
                      *const files = getenv("CUTLET_PTX");
    const int64_t all = count ? atoll(count) : 4000;
    static char text[sizeof head + 2 * LONG + 64];
    int64_t loaded = 0;
    char *list = strdup(files ? files : "examples/howto/transpose.ptx:tests/data/plain_copy.ptx");
    for (char *path = strtok(list, ":"); path; path = strtok(NULL, ":")) read_lines(path);
    free(list);
    assert_int_not_equal(lines, 0);
    for (int64_t i = 0; i < all; ++i) {
        dice d = dice_of_case(seed ? strtoull(seed, NULL, 10) : 1, (uint64_t)i);
        char *const body = text + sizeof head - 1;
        memcpy(text, head, sizeof head);
        strcpy(body, line[dice_int(&d, 0, lines - 1)]);
        for (int64_t edits = dice_int(&d, 0, 3); edits > 0; --edits) edit(body, &d);
        strcat(body, "\n$L: ret;\n}\n");
        loaded += load_and_run(text);
    }
    if (count) print_message("%lld lines, %lld of them ran\n", (long long)all, (long long)loaded);
    assert_in_range(loaded, all / 10, all - all / 10);
    for (int i = 0; i < lines; ++i) free(line[i]);
}

GROUP("edited lines of PTX", NULL, NULL)
