/* Where wgmma on the CPU grid reads by a matrix descriptor: random fields against the rule of
 * addresses that test_cuda_mma_descriptor holds against a GPU. A is the identity, and shared memory
 * holds the number of each element, a digit at a time: D is where B was read from. */
#include "test.h"

#include <cutlet/device/element/element.h>
#include <cutlet/host/grid.h>

#include "dice.h"
#include "laws.h"
#include "laws_mma_descriptor.h"
#include "wgmma_read.cu"

#if defined(__SANITIZE_ADDRESS__)
enum { MOST = 8 };
#else
enum { MOST = 48 };
#endif
enum { THREADS = 128, DIGIT_BITS = 7, DIGITS = 3 };

static const struct {
    const char *name, *atom;
    const ct_grid_kernel *kernel;
    int mn_major;
} kinds[] = {
    {"halves along k", "SM90_64x128x16_F32F16F16_RS", &wr_half_k, 0},
    {"halves along n", "SM90_64x128x16_F32F16F16_RS", &wr_half_n, 1},
    {"8 rows of halves along k", "SM90_64x8x16_F32F16F16_RS", &wr_half_k_8, 0},
    {"8 rows of halves along n", "SM90_64x8x16_F32F16F16_RS", &wr_half_n_8, 1},
    {"tf32", "SM90_64x128x8_F32TF32TF32_RS_TN", &wr_tf32, 0},
    {"bytes", "SM90_64x128x32_S32S8S8_RS_TN", &wr_s8, 0},
};

static unsigned char window[WGMMA_READ_WINDOW];
static uint32_t a[THREADS][4], d[MOST][THREADS][WGMMA_READ_WORDS];
static uint64_t descriptors[MOST];
static int64_t read_at[MOST][128 * 32]; /* the element (n,k) of B, in bytes */

static void run(const ct_grid_kernel *kernel)
{
    const wgmma_read_args args = {window, a[0], descriptors, d[0][0], MOST};
    const ct_grid_buffer buffers[] = {{"window", window, sizeof window, 0, 0},
                                      {"a", a, sizeof a, 0, 0},
                                      {"descriptors", descriptors, sizeof descriptors, 0, 0},
                                      {"d", d, sizeof d, 1, 0}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 4, .no_records = 1};
    ct_grid_report report;
    if (ct_grid_launch(kernel, (ct_dim3){1, 1, 1}, (ct_dim3){THREADS, 1, 1}, WGMMA_READ_WINDOW,
                       &args, sizeof args, &options, &report))
        fail_msg("%s", report.message);
    ct_grid_report_free(&report);
}

/* A small number in the type. */
static uint32_t bits_of(int32_t type, int x)
{
    return type == CT_MMA_F16  ? ct_half_of_float((float)x)
           : type == CT_MMA_S8 ? (uint32_t)x
                               : ct_bits_of_float((float)x);
}

static void put_identity(const ct_mma_atom *atom)
{
    const ct_layout tv = ct_mma_tv(*atom, CT_MMA_A);
    const int bits = ct_mma_bits(atom->op.a);
    memset(a, 0, sizeof a);
    for (int t = 0; t < THREADS; ++t)
        for (int v = 0; v < 128 / bits; ++v) {
            const int at = (int)ct_eval2(tv, t, v);
            if (at % 64 == at / 64) a[t][v * bits / 32] |= bits_of(atom->op.a, 1) << v * bits % 32;
        }
}

/* A digit of each element's number. */
static void fill(const ct_mma_op *op, int digit)
{
    const int bytes = ct_mma_bits(op->b) / 8;
    for (int e = 0; e < WGMMA_READ_WINDOW / bytes; ++e) {
        const uint32_t x = bits_of(op->b, e >> digit * DIGIT_BITS & ((1 << DIGIT_BITS) - 1));
        memcpy(window + e * bytes, &x, (size_t)bytes);
    }
}

static void read_all(const ct_mma_atom *atom, const ct_grid_kernel *kernel)
{
    const ct_layout tv = ct_mma_tv(*atom, CT_MMA_C);
    const int n = atom->op.n, bytes = ct_mma_bits(atom->op.b) / 8;
    memset(read_at, 0, sizeof read_at);
    put_identity(atom);
    for (int digit = 0; digit < DIGITS; ++digit) {
        fill(&atom->op, digit);
        run(kernel);
        for (int i = 0; i < MOST; ++i)
            for (int t = 0; t < THREADS; ++t)
                for (int v = 0; v < n / 2; ++v) {
                    const int at = (int)ct_eval2(tv, t, v), row = at % 64, column = at / 64;
                    float real = 0;
                    memcpy(&real, &d[i][t][v], 4);
                    const int64_t x =
                        atom->op.d == CT_MMA_F32 ? (int64_t)real : (int64_t)d[i][t][v];
                    if (row < atom->op.k)
                        read_at[i][column + n * row] += bytes * (x << digit * DIGIT_BITS);
                }
    }
}

/* Fields by which all is read within the window. */
static uint64_t random_fields(dice *roll, int i)
{
    const uint64_t start = (uint64_t)(dice_int(roll, 0, 511) & (i % 8 < 4 ? ~(int64_t)63 : -1));
    const uint64_t leading = (uint64_t)dice_int(roll, 0, 255),
                   stride = (uint64_t)dice_int(roll, 0, 255);
    const uint64_t base = i % 3 ? 0 : (uint64_t)dice_int(roll, 0, 7);
    return start | leading << 16 | stride << 32 | base << 49 | (uint64_t)(i % 4) << 62;
}

TEST(test_fields)
{
    const char *const text = getenv("CUTLET_SEED");
    const uint64_t seed = text ? strtoull(text, NULL, 10) : 20260213;
    dice roll = dice_of(seed);
    print_message("CUTLET_SEED=%llu\n", (unsigned long long)seed);
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; ++kind) {
        const ct_mma_atom atom = ct_make_mma_atom(kinds[kind].atom);
        const int n = atom.op.n, bytes = ct_mma_bits(atom.op.b) / 8,
                  mn_major = kinds[kind].mn_major;
        for (int i = 0; i < MOST; ++i) descriptors[i] = random_fields(&roll, i);
        read_all(&atom, kinds[kind].kernel);
        for (int i = 0; i < MOST; ++i) {
            const law_fields f = law_fields_of(descriptors[i], 90);
            for (int e = 0; e < n * atom.op.k; ++e) {
                const int column = e % n, k = e / n;
                const int64_t right = law_address(&f, mn_major, (mn_major ? column : k) * bytes,
                                                  mn_major ? k : column);
                if (read_at[i][e] != right)
                    fail_msg("%s, %016llx: element (%d,%d) is read at %lld, not at %lld",
                             kinds[kind].name, (unsigned long long)descriptors[i], column, k,
                             (long long)read_at[i][e], (long long)right);
            }
        }
    }
}

GROUP("descriptors of wgmma on the CPU grid", NULL, NULL)
