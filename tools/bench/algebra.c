/* cutlet-bench algebra: how fast the algebra runs on this CPU. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <time.h>

#include "commands.h"
#include <cutlet/cutlet.h>
#include <cutlet/host/cuda.h>
#include "tools/cutlet/common/cli.h"

enum { ROUNDS = 21, CALLS = 20000 };

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static volatile int64_t sink; /* keeps the compiler from dropping the calls */

typedef struct {
    ct_layout a, b;
    ct_copy_atom atom;
    ct_tiled_copy copy;
    ct_tensor tensor;
    ct_tiler tiler;
} operands;

typedef void (*many_calls)(const operands *);

/* The loop over the calls is part of each case, so that the case of one offset is not a call more. What
 * a call works on changes from call to call, and what it gives is used. */

static void composition(const operands *from)
{
    operands o = *from;
    for (int i = 0; i < CALLS; ++i) {
        o.a.stride[1] = from->a.stride[1] + (i & 1);
        sink += ct_composition(o.a, o.b).stride[0];
    }
}

static void logical_divide(const operands *from)
{
    operands o = *from;
    for (int i = 0; i < CALLS; ++i) {
        o.a.stride[1] = from->a.stride[1] + (i & 1);
        sink += ct_logical_divide(o.a, o.b).stride[0];
    }
}

static void complement(const operands *from)
{
    operands o = *from;
    for (int i = 0; i < CALLS; ++i) {
        o.b.shape[2] = from->b.shape[2] + (i & 1);
        sink += ct_complement(o.b, 512).stride[0];
    }
}

static void logical_product(const operands *from)
{
    operands o = *from;
    for (int i = 0; i < CALLS; ++i) {
        o.a.stride[1] = from->a.stride[1] + (i & 1);
        sink += ct_logical_product(o.b, o.a).stride[0];
    }
}

static void right_inverse(const operands *from)
{
    operands o = *from;
    for (int i = 0; i < CALLS; ++i) {
        o.b.shape[2] = from->b.shape[2] + (i & 1);
        sink += ct_right_inverse(o.b).stride[0];
    }
}

static void zipped_divide(const operands *from)
{
    operands o = *from;
    for (int i = 0; i < CALLS; ++i) {
        o.tensor.layout.stride[0] = from->tensor.layout.stride[0] + 8 * (i & 1);
        sink += ct_zipped_divide_by(o.tensor.layout, o.tiler).stride[0];
    }
}

static void local_tile(const operands *from)
{
    operands o = *from;
    for (int i = 0; i < CALLS; ++i)
        sink += ct_local_tile(o.tensor, o.tiler, ct_tuple2(i & 7, i & 3)).offset.value[0];
}

static void local_partition(const operands *from)
{
    const ct_layout threads = ct_layout2(16, 8, 8, 1);
    for (int i = 0; i < CALLS; ++i)
        sink += ct_local_partition(from->tensor, threads, i & 127).offset.value[0];
}

static void make_tiled_copy(const operands *from)
{
    const ct_layout threads = ct_layout2(16, 8, 8, 1);
    ct_layout values = ct_layout2(1, 8, 1, 1);
    for (int i = 0; i < CALLS; ++i) {
        values.stride[0] = i & 1;
        sink += ct_make_tiled_copy(from->atom, threads, values).tv.stride[0];
    }
}

static void partition_src(const operands *from)
{
    for (int i = 0; i < CALLS; ++i)
        sink += ct_partition_src(from->copy, from->tensor, i & 127).offset.value[0];
}

static void offsets(const operands *from)
{
    int64_t sum = 0;
    for (int i = 0; i < CALLS; ++i) sum += ct_eval(from->a, i & 511);
    sink += sum;
}

static void offsets_of_pairs(const operands *from)
{
    int64_t sum = 0;
    for (int i = 0; i < CALLS; ++i) sum += ct_eval2(from->tensor.layout, i & 511, i & 63);
    sink += sum;
}

static void swizzled_offsets(const operands *from)
{
    ct_tensor t = from->tensor;
    t.swizzle = ct_make_swizzle(3, 3, 3);
    int64_t sum = 0;
    for (int i = 0; i < CALLS; ++i) sum += ct_tensor_offset(&t, i & 511);
    sink += sum;
}

static void report(const char *name, many_calls many, const operands *o)
{
    double t[ROUNDS];
    for (int r = 0; r < ROUNDS; ++r) {
        const double start = now_ns();
        many(o);
        t[r] = (now_ns() - start) / CALLS;
    }
    const double median = ct_median(t, ROUNDS); /* sorts */
    printf("%-34s %8.1f ns   (%.1f to %.1f)\n", name, median, t[0], t[ROUNDS - 1]);
}

/* The tiled copy: over all threads each element of the matrix once. */
static int copies_all(const operands *o)
{
    enum { SIZE = 512 * 512 };
    static unsigned char met[SIZE];
    int64_t n = 0;
    for (int thread = 0; thread < 128; ++thread) {
        const ct_tensor t = ct_partition_src(o->copy, o->tensor, thread);
        for (int64_t i = 0; i < ct_tensor_size(t); ++i) {
            const int64_t at = ct_tensor_offset(&t, i);
            if (at < 0 || at >= SIZE || met[at]++) return 0;
            ++n;
        }
    }
    return n == SIZE;
}

static int wrong(const char *what)
{
    ct_cli_complain("algebra", "%s is wrong", what);
    return CT_EXIT_FAILED;
}

/* The operands; and whether what is made of them is right: else an exit status. */
static int make_operands(operands *given, operands *of_tile)
{
    operands o;
    o.a = ct_make_layout(ct_tuple3(8, 16, 4), ct_tuple3(4, 32, 1));
    o.b = ct_make_layout(ct_tuple3(4, 8, 2), ct_tuple3(2, 8, 64));
    o.atom = ct_copy_atom_universal(128, 16);
    o.copy = ct_make_tiled_copy(o.atom, ct_layout2(16, 8, 8, 1), ct_layout2(1, 8, 1, 1));
    o.tensor = ct_make_tensor(ct_make_row_major(ct_tuple2(512, 512)));
    o.tiler = ct_tiler_of_shape(ct_tuple2(64, 128));
    operands tile = o;
    tile.b = ct_make_layout(ct_tuple3(2, 4, 2), ct_tuple3(1, 8, 256));
    const ct_layout r = ct_composition(o.a, o.b);
    for (int64_t i = 0; i < 64; ++i) {
        if (ct_eval(r, i) != ct_eval(o.a, ct_eval(o.b, i))) return wrong("the composition");
    }
    if (ct_size(ct_logical_divide(tile.a, tile.b)) != 512) return wrong("the divide");
    if (!copies_all(&o)) return wrong("the partition");
    if (ct_eval2(o.tensor.layout, 3, 5) != 3 * 512 + 5) return wrong("eval2");
    *given = o;
    *of_tile = tile;
    return CT_EXIT_OK;
}

/* There is nothing to choose. */
static error_t parse(int key, char *arg, struct argp_state *state)
{
    if (key != ARGP_KEY_ARG) return ARGP_ERR_UNKNOWN;
    return ct_cli_wrong(state, "it takes no argument; what is `%.40s`?", arg);
}

const struct argp bench_algebra_argp = CT_ARGP(
    NULL, parse, NULL,
    "Times operations on layouts of rank 3 and on matrices of 512 x 512, called from C on one core "
    "of this CPU: nanoseconds of a call, the median of 21 rounds of 20000 calls, and the least and "
    "the most. Results are checked first.\v"
    "  cutlet-bench algebra");

int bench_cmd_algebra(int argc, char **argv)
{
    operands o, tile;
    const int parsed = ct_cli_parse(&bench_algebra_argp, argc, argv, NULL);
    if (parsed != 0) return ct_cli_finish("algebra", parsed < 0 ? CT_EXIT_BAD : CT_EXIT_OK);
    if (make_operands(&o, &tile)) return CT_EXIT_FAILED;
    printf("layouts of rank 3, matrices of 512 x 512, median of %d rounds of %d calls\n", ROUNDS,
           CALLS);
    report("composition", composition, &o);
    report("logical_divide", logical_divide, &tile);
    report("complement", complement, &tile);
    report("logical_product", logical_product, &tile);
    report("right_inverse", right_inverse, &tile);
    report("zipped_divide by a tiler", zipped_divide, &o);
    report("local_tile", local_tile, &o);
    report("local_partition", local_partition, &o);
    report("make_tiled_copy", make_tiled_copy, &o);
    report("partition_src", partition_src, &o);
    report("one offset (ct_eval)", offsets, &o);
    report("one swizzled offset", swizzled_offsets, &o);
    report("one offset of (i,j) (ct_eval2)", offsets_of_pairs, &o);
    return ct_cli_finish("algebra", CT_EXIT_OK);
}
