/* The main job: its counts against counts made by hand, its ranks against those measured on an H200,
 * and the command. */
#include "test.h"

#include <dirent.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cutlet/host/access.h>
#include <cutlet/host/compare.h>
#include <cutlet/host/npy.h>

enum { ROWS = 128, COLS = 256, ELEMENTS = ROWS * COLS };

static unsigned char *data; /* room for ELEMENTS of 16 bytes, 256-byte aligned */

static int set_up(void **state)
{
    (void)state;
    data = aligned_alloc(256, 16 * ELEMENTS);
    if (!data) return -1;
    for (int i = 0; i < 16 * ELEMENTS; ++i) data[i] = (unsigned char)(i * 7 + i / 251);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(data);
    return 0;
}

static ct_matrix matrix_of(int row_major, int elem_bytes)
{
    const ct_matrix m = {data, ROWS, COLS, row_major ? COLS : ROWS, row_major, elem_bytes};
    return m;
}

static ct_compare_result compare(const char *name, const ct_matrix *m, const ct_compare_options *o)
{
    ct_compare_result r;
    const ct_copy_variant *v = ct_copy_variant_named(name);
    assert_non_null(v);
    if (ct_compare_copy(v, m, o, &r)) fail_msg("%s: %s", name, r.message);
    return r;
}

/* ---- counts by hand --------------------------------------------------------------------------- */

/* What one warp's load and one warp's store cost. */
typedef struct expected {
    const char *variant;
    int row_major;
    int bytes;                  /* of an access */
    int per_access;             /* memory instructions for each access: 4, or 3 with cp.async */
    int sectors, lines;         /* of one load or store of global memory by a warp */
    int wavefronts, conflicts;  /* of one load or store of shared memory */
    int async, async_conflicts; /* the same of one cp.async, where it is another number */
} expected;

/* For half in the 64 x 64 tile, whose lines of 128 bytes each begin at bank 0. One pass through the
 * banks moves 128 bytes at most.
 * rows8, cols8: 8 threads fill a line, a warp 4 lines: 16 sectors, 4 passes for 512 bytes.
 * half-line: 4 threads fill half a line, a warp 8 halves: as many sectors in twice the lines; all halves
 *   lie in the same 16 banks: twice the passes.
 * rows4-wide: 8 threads of 8 bytes fill half a line, a warp 4 halves: 8 sectors; 256 bytes need 2 passes,
 *   and the same 16 banks make them 4.
 * rows4 on rows, cols4 on columns: 8 elements 8 bytes apart in each of 4 lines: 2 sectors a line; 8 banks,
 *   the same in each line: 4 passes for 1.
 * Of a cp.async.cg, a pass moves the sectors of one line to one line: half-line takes 8 as a store does,
 *   printed8 16 and not 32, and neither is counted as a conflict.
 * cols4 on rows: threads 4 lines apart, 4 neighbours: 8 lines with a run of 8 bytes: 8 sectors, 8 passes.
 *   rows4 and rows8-async on columns, partition on rows: runs as short in as many lines.
 * printed4 on columns: 2 elements in each of 16 lines: a sector each, 16 passes.
 * printed8: 2 accesses of 16 bytes side by side in each of 16 lines: a sector each; the 8 lanes that go
 *   through the banks together are in 8 lines and the same 4 banks: 8 passes, 32 for the warp, where 4 would do.
 * partition on columns: 8 neighbours, 16 bytes, in each of 4 lines: 4 sectors, 4 passes.
 * best, either way: a warp takes 512 bytes in a row: 16 sectors, 4 lines, 4 passes. */
static const expected table[] = {
    {"rows8", 1, 16, 4, 16, 4, 4, 0, 0, 0},
    {"rows8-async", 1, 16, 3, 16, 4, 4, 0, 0, 0},
    {"half-line", 1, 16, 3, 16, 8, 8, 4, 8, 0},
    {"rows4-wide", 1, 8, 4, 8, 4, 4, 2, 0, 0},
    {"rows4", 1, 2, 4, 8, 4, 4, 3, 0, 0},
    {"cols4", 1, 2, 4, 8, 8, 8, 7, 0, 0},
    {"partition", 1, 2, 4, 8, 8, 8, 7, 0, 0},
    {"cols8", 0, 16, 4, 16, 4, 4, 0, 0, 0},
    {"cols8-async", 0, 16, 3, 16, 4, 4, 0, 0, 0},
    {"cols4", 0, 2, 4, 8, 4, 4, 3, 0, 0},
    {"rows4", 0, 2, 4, 8, 8, 8, 7, 0, 0},
    {"rows8-async", 0, 2, 4, 8, 8, 8, 7, 0, 0},
    {"printed4", 0, 2, 4, 16, 16, 16, 15, 0, 0},
    {"printed8-async", 0, 16, 3, 16, 16, 32, 28, 16, 0},
    {"partition", 0, 2, 4, 4, 4, 4, 3, 0, 0},
    {"best", 1, 16, 3, 16, 4, 4, 0, 0, 0},
    {"best", 0, 16, 3, 16, 4, 4, 0, 0, 0},
};

TEST(test_counts)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
        const expected *e = &table[i];
        const ct_matrix m = matrix_of(e->row_major, 2);
        const ct_compare_result r = compare(e->variant, &m, NULL);
        const int64_t accesses = (int64_t)ELEMENTS * 2 / e->bytes / 32; /* by warps, one way */
        print_message("%s, %s-major\n", e->variant, e->row_major ? "row" : "column");
        assert_int_equal(r.load_bytes, e->bytes);
        assert_int_equal(r.store_bytes, e->bytes);
        assert_int_equal(r.async, e->per_access == 3);
        assert_int_equal(r.instructions, e->per_access * accesses);
        assert_int_equal(r.requests, 2 * accesses);
        assert_int_equal(r.sectors, 2 * accesses * e->sectors);
        assert_int_equal(r.lines, 2 * accesses * e->lines);
        assert_int_equal(r.bytes_used, 2 * ELEMENTS * 2);
        const int in = e->async ? e->async : e->wavefronts;
        assert_int_equal(r.wavefronts, accesses * (in + e->wavefronts));
        assert_int_equal(r.conflicts, accesses * ((e->async ? e->async_conflicts : e->conflicts) +
                                                  e->conflicts));
        assert_int_equal(r.first.sectors, e->sectors);
        assert_int_equal(r.worst.bits != 0, r.conflicts > 0);
        if (r.worst.bits == 0) continue;
        const ct_access_count worst = ct_count_access_by(NULL, &r.worst, NULL);
        assert_int_equal(worst.conflicts, ct_max(e->conflicts, e->async_conflicts));
    }
}

/* Whatever the size of the elements, the coalesced copy moves each sector once either way. */
TEST(test_coalesced_sizes)
{
    static const double instructions[5] = {4.0 / 8, 4.0 / 8, 4.0 / 4, 4.0 / 2, 4};
    for (int i = 0; i < 5; ++i) {
        const int bytes = 1 << i;
        const ct_matrix m = matrix_of(1, bytes);
        const ct_compare_result r = compare("rows8", &m, NULL);
        assert_true(ct_compare_instructions(&r) == instructions[i]);
        assert_int_equal(r.bytes_used, 2 * ELEMENTS * bytes);
        if (bytes <= 2) assert_int_equal(r.sectors, 2 * ELEMENTS * bytes / 32);
        /* 4 bytes: a thread has 32 of them, two accesses that each take half of every sector */
        if (bytes > 2) assert_int_equal(r.sectors, 2 * 2 * ELEMENTS * bytes / 32);
    }
}

/* The best copy whatever the data: its tile is a piece of a line, in elements, and another one that
 * is asked for changes nothing. */
TEST(test_best)
{
    const ct_compare_options tiles = {.tile_m = 128, .tile_n = 128};
    for (int row_major = 0; row_major < 2; ++row_major) {
        for (int bytes = 1; bytes <= 16; bytes *= 2) {
            const ct_matrix m = matrix_of(row_major, bytes);
            const ct_compare_result r = compare("best", &m, &tiles);
            assert_int_equal(row_major ? r.tile_n : r.tile_m, 2048 / bytes);
            assert_int_equal(row_major ? r.tile_m : r.tile_n, 1);
            assert_int_equal(r.threads, 128);
            assert_int_equal(ct_size(r.thr), 128);
            assert_int_equal(ct_eval(r.thr, 1), 1);
            assert_int_equal(ct_size(r.val), 16 / bytes);
            assert_int_equal(32 * r.sectors, 2 * ELEMENTS * bytes);
            assert_int_equal(16 * 32 * r.instructions, 3 * ELEMENTS * bytes);
        }
    }
}

/* Rows with gaps that begin anywhere: still 16 bytes an access, and the reason says how; a matrix
 * that has fewer bytes is moved by what there is. */
TEST(test_best_anywhere)
{
    ct_matrix m = matrix_of(1, 2);
    const ct_compare_options padded = {.dst_ld = 256, .dst_shift = 3};
    m.data = data + 2;
    m.cols = 250;
    m.ld = 253;
    ct_compare_result r = compare("best", &m, &padded);
    assert_int_equal(r.load_bytes, 16);
    assert_int_equal(r.store_bytes, 16);
    assert_non_null(strstr(r.reason, "not every row is aligned to 16 bytes: shifted in "
                                     "registers"));
    m.data = data;
    m.rows = 1;
    m.cols = 3;
    r = compare("best", &m, NULL);
    assert_int_equal(r.load_bytes, 2);
    assert_int_equal(r.store_bytes, 2);
    assert_int_equal(r.async, 0);
    assert_null(strstr(r.reason, "shifted"));
}

/* Another tile than the one that the kernels are made for costs the same where everything is whole. */
TEST(test_other_tiles)
{
    static const char *const names[] = {"rows4", "rows8", "rows8-async", "half-line"};
    for (int i = 0; i < 4; ++i) {
        const ct_matrix m = matrix_of(1, 2);
        const ct_compare_options wide = {.tile_m = 128, .tile_n = 128},
                                 flat = {.tile_m = 32, .tile_n = 256};
        const ct_compare_result a = compare(names[i], &m, NULL);
        const ct_compare_result b = compare(names[i], &m, &wide), c = compare(names[i], &m, &flat);
        assert_int_equal(b.tile_m, 128);
        assert_int_equal(a.instructions, b.instructions);
        assert_int_equal(a.sectors, b.sectors);
        assert_int_equal(a.instructions, c.instructions);
        assert_int_equal(a.sectors, c.sectors);
    }
}

/* ---- reasons ---------------------------------------------------------------------------------- */

static void says(const ct_compare_result *r, const char *text)
{
    if (!strstr(r->reason, text)) fail_msg("`%s` does not say `%s`", r->reason, text);
}

TEST(test_reasons)
{
    ct_matrix m = matrix_of(1, 2);
    ct_compare_result r;
    r = compare("rows8", &m, NULL);
    assert_string_equal(r.reason, "a load reads 4 runs of 128 bytes: 16 sectors, all used");
    r = compare("half-line", &m, NULL);
    assert_string_equal(
        r.reason,
        "a load reads 8 runs of 64 bytes, half a cache line each: 16 sectors, all used; 2-way conflicts");
    m = matrix_of(0, 2);
    r = compare("printed4", &m, NULL); /* a column is 128 elements of 2 bytes */
    assert_string_equal(
        r.reason,
        "neighbouring threads are 256 bytes apart: 16 sectors for 32 x 2 bytes, 1/8 used");
    r = compare("rows8-async", &m, NULL);
    says(&r, "only 1 of a thread's 8 values is contiguous, hence 2-byte accesses, no cp.async");
    m = matrix_of(1, 2);
    m.cols = 250;
    m.ld = 252; /* a multiple of 4, not of 8 */
    r = compare("rows8", &m, NULL);
    assert_int_equal(r.load_bytes, 16);
    assert_int_equal(r.store_bytes, 16); /* the copy is packed, 250 to a row */
    says(&r, "the matrix's leading dimension 252 is not a multiple of 8 elements: shifted in "
             "registers");
    m.ld = 256;
    m.data = data + 4;
    r = compare("rows8", &m, NULL);
    says(&r, "the matrix is aligned to only 4 bytes: shifted in registers");
    r = compare("rows8-async", &m, NULL);
    assert_int_equal(r.load_bytes, 16);
    assert_int_equal(r.async, 1); /* the chunks that hold the rows */
    says(&r, "the matrix is aligned to only 4 bytes: shifted in registers");
    m.data = data;
    const ct_compare_options shifted = {.dst_ld = 256, .dst_shift = 1};
    r = compare("rows8", &m, &shifted);
    assert_int_equal(r.load_bytes, 16);
    assert_int_equal(r.store_bytes, 16);
    says(&r, "the copy is aligned to only 2 bytes: shifted in registers");
    const ct_compare_options other = {.dst_ld = 256, .dst_shift = 1, .tile_m = 32, .tile_n = 64};
    r = compare("rows8", &m, &other);
    assert_int_equal(r.load_bytes, 16);
    assert_int_equal(r.store_bytes, 2);
    says(&r, "the copy is aligned to only 2 bytes: element by element");
}

/* ---- ranks ------------------------------------------------------------------------------------ */

/* Throughput falls in this order on an H200 (16384 x 16384 half). */
static void check_ranks(int row_major, const char *const *names, int n)
{
    ct_compare_result results[8];
    const ct_matrix m = matrix_of(row_major, 2);
    for (int i = 0; i < n; ++i) results[i] = compare(names[n - 1 - i], &m, NULL);
    qsort(results, (size_t)n, sizeof *results, ct_compare_rank);
    for (int i = 0; i < n; ++i) assert_string_equal(results[i].variant->name, names[i]);
}

TEST(test_ranks)
{
    static const char *const rows[] = {"best",  "rows8-async", "half-line",
                                       "rows8", "rows4-wide",  "rows4"};
    static const char *const cols[] = {"best",  "cols8-async", "printed8-async",
                                       "cols4", "rows4",       "printed4"};
    check_ranks(1, rows, 6);
    check_ranks(0, cols, 6);
}

/* ---- the copy itself -------------------------------------------------------------------------- */

static void on_progress(void *user, double done)
{
    double *last = user;
    assert_true(done >= *last && done <= 1);
    *last = done;
}

TEST(test_copy)
{
    static uint16_t copy[ELEMENTS];
    double last = 0;
    ct_matrix m = matrix_of(0, 2);
    const ct_compare_options o = {
        .copy = copy, .progress = on_progress, .user = &last, .dst_ld = 150};
    m.rows = 100; /* of 128 */
    compare("rows4", &m, &o);
    for (int n = 0; n < COLS; ++n) assert_memory_equal(copy + 100 * n, data + 256 * n, 200);
    assert_true(last > 0);
}

/* A warp whose lanes are all off executes its instructions: 4 vectors of each tile, whole or not, by
 * a cp.async, a load and a store, in 4 warps. With 16 columns half of the vectors are outside. */
TEST(test_warps_without_lanes)
{
    static const struct {
        const char *name;
        int cols, tiles;
    } rows[] = {
        {"half-line", 96, 2}, {"rows8-async", 96, 2}, {"half-line", 16, 1}, {"half-line", 480, 8}};
    for (int i = 0; i < 4; ++i) {
        const ct_matrix m = {data, 64, rows[i].cols, rows[i].cols, 1, 2};
        const ct_compare_result r = compare(rows[i].name, &m, NULL);
        assert_int_equal(r.instructions, rows[i].tiles * 4 * 3 * 4);
    }
}

TEST(test_refused)
{
    ct_compare_result r;
    ct_matrix m = matrix_of(1, 2);
    const ct_compare_options narrow = {.dst_ld = 8}, tile = {.tile_m = 8, .tile_n = 8};
    assert_null(ct_copy_variant_named("rows9"));
    assert_int_equal(ct_compare_copy(ct_copy_variant_named("rows8"), &m, &narrow, &r),
                     CT_E_ARGUMENT);
    assert_non_null(strstr(r.message, "the destination has the leading dimension 8"));
    assert_int_equal(ct_compare_copy(ct_copy_variant_named("rows8"), &m, &tile, &r), CT_E_ARGUMENT);
    m.rows = 0;
    assert_int_equal(ct_compare_copy(ct_copy_variant_named("rows8"), &m, NULL, &r), CT_E_ARGUMENT);
    const ct_compare_options shifted = {.dst_ld = 64, .dst_shift = 4097};
    assert_int_equal(ct_compare_copy(ct_copy_variant_named("rows8"), &m, &shifted, &r),
                     CT_E_ARGUMENT);
    assert_string_equal(r.message,
                        "the destination has the leading dimension 64 and is shifted by "
                        "4097 elements; both are at least 0, and the shift at most 4096");
}

/* ---- congruent tiles -------------------------------------------------------------------------- */

static void same_counts(const ct_compare_result *all, const ct_compare_result *once)
{
    assert_int_equal(all->instructions, once->instructions);
    assert_int_equal(all->requests, once->requests);
    assert_int_equal(all->sectors, once->sectors);
    assert_int_equal(all->bytes_used, once->bytes_used);
    assert_int_equal(all->lines, once->lines);
    assert_int_equal(all->wavefronts, once->wavefronts);
    assert_int_equal(all->conflicts, once->conflicts);
    assert_int_equal(all->load_bytes, once->load_bytes);
    assert_int_equal(all->store_bytes, once->store_bytes);
    assert_int_equal(all->elements, once->elements);
    assert_string_equal(all->reason, once->reason);
}

static int64_t up_to(uint64_t *seed, int64_t n)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)((*seed >> 33) % (uint64_t)n);
}

/* Matrices of any extents, leading dimension and alignment: each kind of tile once costs what all
 * tiles cost that are run, and fewer elements are read. */
TEST(test_congruent)
{
    int count = 0, fewer = 0;
    const ct_copy_variant *all = ct_copy_variants(&count);
    uint64_t seed = 36;
    for (int i = 0; i < 60; ++i) {
        ct_matrix m = matrix_of((int)up_to(&seed, 2), 1 << up_to(&seed, 2));
        const int64_t lines = 1 + up_to(&seed, i % 4 ? 500 : 1700);
        const int64_t inner = 1 + up_to(&seed, lines > 500 ? 130 : 500);
        m.ld = inner + (up_to(&seed, 2) ? up_to(&seed, 40) : 8 * ((inner + 7) / 8) - inner);
        m.rows = m.row_major ? lines : inner;
        m.cols = m.row_major ? inner : lines;
        m.data = data + (up_to(&seed, 2) ? m.elem_bytes * up_to(&seed, 8) : 0);
        ct_compare_options o = {.dst_ld = up_to(&seed, 2) ? inner + up_to(&seed, 9) : 0,
                                .dst_shift = (int32_t)(up_to(&seed, 2) ? up_to(&seed, 5) : 0)};
        if (up_to(&seed, 4) == 0) o.tile_m = 128;
        const ct_copy_variant *v = &all[i % count];
        print_message("case %d: %s\n", i, v->name);
        const ct_compare_result whole = compare(v->name, &m, &o);
        o.congruent = 1;
        const ct_compare_result once = compare(v->name, &m, &o);
        same_counts(&whole, &once);
        assert_int_equal(whole.verified, whole.elements);
        fewer += once.verified < whole.verified;
    }
    assert_true(fewer > 20);
}

/* ---- the command ------------------------------------------------------------------------------ */

static char folder[64];

/* Runs `cutlet compare ARGUMENTS` in the scratch folder; its text goes to files there. */
static int command(const char *arguments)
{
    char line[2048];
    const char *cutlet = getenv("CUTLET");
    if (!cutlet || !*cutlet) skip();
    snprintf(line, sizeof line, "cd %s && '%s' compare %s >out 2>err", folder, cutlet, arguments);
    const int status = system(line);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static char *text_of(const char *name)
{
    static char text[1 << 20];
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    return text;
}

/* The entries of the scratch folder, or of a folder in it. */
static int entries(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    DIR *dir = opendir(path);
    int n = 0;
    if (!dir) return -1;
    while (readdir(dir)) ++n;
    closedir(dir);
    return n - 2;
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/cutlet-compare-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char line[128];
    (void)state;
    snprintf(line, sizeof line, "rm -rf %s", folder);
    return system(line);
}

/* Past the lines of progress, which a slow machine prints first. */
static const char *after_progress(const char *text)
{
    for (int is = 0; sscanf(text, "cutlet compare: %*d of %*d:%n", &is), is > 0; is = 0) {
        const char *const end = strchr(text, '\n');
        if (!end) break;
        text = end + 1;
    }
    return text;
}

/* Bad input: status 2, one line that says so, nothing on standard output and no file left. */
static void bad(const char *arguments, const char *because)
{
    const int before = entries(".");
    const int status = command(arguments);
    const char *all = text_of("err"), *err = strstr(all, "cutlet compare: ");
#if !defined(__SANITIZE_ADDRESS__) /* which has a line of its own about coroutines */
    assert_ptr_equal(err, all);
#endif
    assert_non_null(err);
    err = after_progress(err);
    if (status != 2) fail_msg("compare %s: status %d: %s", arguments, status, err);
    if (!strstr(err, because))
        fail_msg("compare %s: `%s` does not say `%s`", arguments, err, because);
    if (strchr(err, '\n') != err + strlen(err) - 1)
        fail_msg("compare %s: not one line: %s", arguments, err);
    assert_string_equal(text_of("out"), "");
    assert_int_equal(entries("."), before);
}

static void write_npy(const char *name, int rank, int fortran, const char *descr, int bytes)
{
    char path[128], error[CT_MESSAGE_BYTES];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    ct_npy a;
    memset(&a, 0, sizeof a);
    snprintf(a.descr, sizeof a.descr, "%s", descr);
    a.rank = rank;
    a.fortran = fortran;
    a.elem_bytes = bytes;
    a.shape[0] = 70;
    a.shape[1] = 45;
    a.shape[2] = 1;
    a.data = data;
    if (ct_npy_write(path, &a, error)) fail_msg("%s", error);
}

TEST_WITH(test_command_bad_input, make_folder, remove_folder)
{
    assert_int_equal(command("--rows 64 --cols 64 --variants rows8"),
                     0); /* out and err exist from here on */
    write_npy("cube.npy", 3, 0, "<f2", 2);
    write_npy("m.npy", 2, 0, "<f2", 2);
    bad("--input none.npy", "none.npy");
    bad("--input cube.npy", "an array of 3 dimensions; a matrix has two");
    bad("--input m.npy --rows 8", "not for --input");
    bad("--rows 0", "--rows takes");
    bad("--cols 99999999999999999999", "--cols takes");
    bad("--rows 2147483647 --cols 2147483647 --type c16", "bytes");
    bad("--type word", "no type `word`");
    bad("--type V17", "no type `V17`");
    bad("--order diagonal", "--order is");
    bad("--tile 64", "--tile is as");
    bad("--tile 0x8", "--tile is as");
    bad("--tile 8x8 --variants partition", "partition: its threads cover 8x32 at once");
    bad("--tile 16x32 --variants rows8", "16x64 at once");
    bad("--variants rows8,rows9", "no variant `rows9`");
    bad("--variants ''", "no variant ``");
    bad("--svg /proc/none/pictures", "cannot be written");
    bad("--svg m.npy", "not a folder");
    bad("--svg pictures --output /proc/none/copy.npy", "/proc/none/copy.npy");
    bad("--order col --output copy.npy", "--order leaves out");
    bad("matrix.npy", "--input names the matrix");
    bad("--nonsense", "--nonsense");
}

TEST_WITH(test_command_copies, make_folder, remove_folder)
{
    static const struct {
        const char *descr;
        int bytes, fortran, rank;
    } cases[] = {{"<f2", 2, 0, 2},   {"<f2", 2, 1, 2}, {"|V12", 12, 0, 2}, {"|S3", 3, 1, 2},
                 {"<c16", 16, 1, 2}, {"|u1", 1, 0, 1}, {">i4", 4, 0, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char from[128], to[128], error[CT_MESSAGE_BYTES];
        ct_npy a, b;
        write_npy("m.npy", cases[i].rank, cases[i].fortran, cases[i].descr, cases[i].bytes);
        if (command("--input m.npy --output copy.npy"))
            fail_msg("%s: %s", cases[i].descr, text_of("err"));
        snprintf(from, sizeof from, "%s/m.npy", folder);
        snprintf(to, sizeof to, "%s/copy.npy", folder);
        if (ct_npy_read(from, &a, error) || ct_npy_read(to, &b, error)) fail_msg("%s", error);
        assert_string_equal(a.descr, b.descr);
        assert_int_equal(a.fortran, b.fortran);
        assert_int_equal(a.rank, b.rank);
        assert_int_equal(a.data_bytes, b.data_bytes);
        assert_memory_equal(a.data, b.data, (size_t)a.data_bytes);
        ct_npy_free(&a);
        ct_npy_free(&b);
    }
}

TEST_WITH(test_command_pictures, make_folder, remove_folder)
{
    assert_int_equal(
        command("--rows 100 --cols 100 --svg pictures --variants rows8,cols4 --order row"), 0);
    assert_int_equal(entries("pictures"), 4); /* two pictures, the banks of cols4, and the index */
    assert_non_null(strstr(text_of("pictures/index.html"), "<img src=\"row-rows8.svg\""));
    assert_non_null(strstr(text_of("pictures/row-cols4.svg"), "</svg>"));
    assert_int_equal(command("--rows 100 --cols 100 --svg pictures/ --variants rows8 --order col"),
                     0);
    assert_int_equal(entries("pictures"), 6); /* added to a folder that is there */
    assert_int_equal(command("--rows 64 --cols 512 --svg pictures --variants best --order row"), 0);
    assert_non_null(strstr(text_of("pictures/row-best.svg"),
                           "Folded: each row here is a cache line of one row of the matrix."));
    assert_int_equal(command("--rows 64 --cols 100 --svg pictures --variants best --order row"), 0);
    assert_null(strstr(text_of("pictures/row-best.svg"), "Folded"));
    for (char *line = strtok(text_of("out"), "\n"); line; line = strtok(NULL, "\n"))
        assert_true(strlen(line) <= 100);
}

TEST_WITH(test_command_json, make_folder, remove_folder)
{
    assert_int_equal(command("--rows 128 --cols 256 --variants rows8 --order row --json"), 0);
    const char *out = text_of("out");
    assert_non_null(strstr(out, "\"sectors\": 4096,"));
    assert_non_null(strstr(out, "\"verified\": true"));
    assert_non_null(strstr(out, "\"instructions_per_element\": 0.5,"));
    assert_non_null(strstr(out, "\"threads\": \"(16,8):(8,1)\""));
}

/* Variants that were not asked for by name, and that a tile does not fit, are left out. */
TEST_WITH(test_command_left_out, make_folder, remove_folder)
{
    assert_int_equal(command("--rows 64 --cols 64 --tile 8x8"), 0);
    assert_non_null(strstr(text_of("err"), "15 of 17 copies left out, as partition: its threads"));
    const char *out = text_of("out");
    assert_non_null(strstr(out, "in tiles of 2048 bytes,"));
    assert_non_null(strstr(out, " 1  best "));
    assert_null(strstr(out, " 2  "));
}

int main(void)
{
    setenv("CUTLET_NO_GPU", "1", 1); /* its part is in test_compare_gpu.py */
    return run_registered("compare", set_up, tear_down);
}
