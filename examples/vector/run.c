/* Runs the kernels of this folder on small arrays, misaligned and of odd sizes among them: what
 * the host has to do for each, how it goes, what it costs, whether the result is right. */
#include "machine.h"

/* ---- width_copy.cu, elementwise.cu: dst(c) = f(src(c)) --------------------------------------- */

/* part: elementwise */
/* One launch: element c of the source, as its layout has it, to element c of the destination. */
static void elementwise(const char *kernel, type type, int access_bytes, function f, ct_layout from,
                        ct_layout to, int src_past, int dst_past)
{
    if (!is_wanted(kernel)) return;
    array src = take("src", type, ct_cosize(from), src_past, 0);
    array dst = take("dst", type, ct_cosize(to), dst_past, 1);
    const ct_operand in = ct_make_operand(src.at, from, type_bytes[type]);
    const ct_operand out = ct_make_operand(dst.at, to, type_bytes[type]);
    ct_elementwise_args args = ct_make_elementwise(&in, 1, out, access_bytes);
    if (!is_refused(kernel, args.err)) {
        array *const both[] = {&src, &dst};
        cost cost = {0};
        int right = 1;
        args.number[0] = 0.5f; /* p[0] of the expression */
        launch(kernel, args.blocks, CT_ELEMENTWISE_THREADS, &args, sizeof args, both, 2, &cost);
        for (int64_t i = 0; i < ct_size(from); ++i)
            right &= is_near(&dst, ct_eval(to, i), f(get(&src, ct_eval(from, i))), 1e-7);
        show(kernel, ct_elementwise_path(&args), ct_size(from), src_past, dst_past, &cost, right);
    }
    give(&src);
    give(&dst);
}
/* end */

static void copies(void)
{
    const ct_layout bytes = ct_layout1(65536, 1), odd = ct_layout1(65539, 1);
    lesson("Copies of bytes: the same sectors, by ever fewer instructions");
    for (int width = 1; width <= 16; width *= 2) {
        char kernel[32];
        snprintf(kernel, sizeof kernel, "width_copy_%d", width);
        elementwise(kernel, UINT8, width, same, bytes, bytes, 0, 0);
    }
    elementwise("width_copy_16", UINT8, 16, same, odd, odd, 1, 0);
    elementwise("width_copy_16", UINT8, 16, same, odd, odd, 3, 3);
    if (gpu && ct_cuda_about(gpu)->major < 10 && is_wanted("width_copy_32"))
        show_refused("width_copy_32", "accesses of 32 bytes begin with sm_100");
    else elementwise("width_copy_32", UINT8, 32, same, bytes, bytes, 0, 0);
}

static void element_wise(void)
{
    static const struct {
        const char *name;
        type type;
        int access;
        function of;
    } rows[] = {
        {"scale_float_scalar", FLOAT, 4, half_of},
        {"scale_float", FLOAT, 16, half_of},
        {"scale_half", HALF, 16, half_of},
        {"scale_bfloat16", BFLOAT16, 16, half_of},
        {"relu_float_scalar", FLOAT, 4, relu},
        {"relu_float", FLOAT, 16, relu},
        {"relu_half_scalar", HALF, 2, relu},
        {"relu_half_2", HALF, 4, relu},
        {"relu_half", HALF, 16, relu},
        {"relu_bfloat16", BFLOAT16, 16, relu},
        {"gelu_float_scalar", FLOAT, 4, gelu},
        {"gelu_float", FLOAT, 16, gelu},
        {"gelu_half", HALF, 16, gelu},
        {"gelu_bfloat16", BFLOAT16, 16, gelu},
    };
    const ct_layout n = ct_layout1(4096, 1), odd = ct_layout1(4095, 1);
    const ct_layout rows_33 = ct_make_row_major(ct_tuple2(33, 30));
    const ct_layout cols_33 = ct_make_col_major(ct_tuple2(33, 30));
    const ct_layout gaps = ct_layout2(33, 30, 32, 1); /* a gap after each row */
    lesson("An expression for each element; then an odd number of them, one element further");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        elementwise(rows[i].name, rows[i].type, rows[i].access, rows[i].of, n, n, 0, 0);
        const int one = type_bytes[rows[i].type];
        if (rows[i].access == 16)
            elementwise(rows[i].name, rows[i].type, 16, rows[i].of, odd, odd, one, 0);
    }
    lesson("Other layouts: rows with gaps, every second element, row-major to column-major");
    elementwise("relu_float", FLOAT, 16, relu, rows_33, gaps, 0, 0);
    elementwise("relu_float", FLOAT, 16, relu, ct_layout1(4096, 2), n, 0, 0);
    elementwise("relu_float", FLOAT, 16, relu, rows_33, cols_33, 0, 0);
    elementwise("relu_float", FLOAT, 16, relu, n, n, 2, 0);
}

/* ---- remainder.cu: 2 x + 1 over an array whose size no vector divides ------------------------ */

/* part: remainder */
/* The first three strategies fault at an address that is not a multiple of the access, so their
   host
 * looks at the addresses first: `bulk` and `padded` are refused, `width` takes what is left. */
static void remainder_of(const char *strategy, int64_t n, int src_past, int dst_past)
{
    const int padded = strcmp(strategy, "padded") == 0, width = strcmp(strategy, "width") == 0;
    const int64_t capacity = padded ? (n + 3) / 4 * 4 : n; /* what padded allocates */
    array src = take("src", FLOAT, capacity, src_past, 0),
          dst = take("dst", FLOAT, capacity, dst_past, 1);
    array *const both[] = {&src, &dst};
    const remainder_args args = make_remainder_args(src.at, dst.at, n);
    const int bytes = width ? remainder_width(&args) : 16;
    char kernel[32], how[64];
    snprintf(kernel, sizeof kernel, "remainder_%s", strategy);
    if (width) snprintf(kernel, sizeof kernel, "remainder_width_%d", bytes);
    if (is_wanted(kernel) && !width && remainder_align(&args) < 16) {
        snprintf(how, sizeof how, "src + %d, dst + %d: no multiples of 16", src_past, dst_past);
        show_refused(kernel, how);
    } else if (is_wanted(kernel)) {
        cost cost = {0};
        int right = 1;
        const int64_t blocks = remainder_blocks(n, bytes / 4);
        launch(kernel, blocks, REMAINDER_THREADS, &args, sizeof args, both, 2, &cost);
        for (int64_t i = 0; i < n; ++i) right &= get(&dst, i) == twice_and_one(get(&src, i));
        snprintf(how, sizeof how, "%d bytes an access%s", bytes, padded ? ", the padding too" : "");
        show(kernel, how, n, src_past, dst_past, &cost, right);
    }
    give(&src);
    give(&dst);
}
/* end */

static void remainders(void)
{
    static const char *const strategies[] = {"bulk", "padded", "width"};
    const ct_layout odd = ct_layout1(1003, 1);
    lesson("A remainder, dealt with in four ways: aligned, then with a source one float further");
    for (int past = 0; past <= 4; past += 4) {
        for (int i = 0; i < 3; ++i) remainder_of(strategies[i], 1003, past, 0);
        elementwise("remainder_any", FLOAT, 16, twice_and_one, odd, odd, past, 0);
    }
    remainder_of("width", 1002, 0, 0);
    remainder_of("width", 1004, 0, 0);
}

/* ---- sum.cu ---------------------------------------------------------------------------------- */

/* part: sum */
/* Two launches: each block sums a part, then one block sums the parts. */
static void sum(const char *kernel, type type, int64_t n, int past)
{
    if (!is_wanted(kernel)) return;
    const int64_t blocks = sum_blocks(n, gpu ? ct_cuda_about(gpu)->processors : 1);
    array src = take("src", type, n, past, 0), parts = take("parts", FLOAT, blocks, 0, 1);
    array all = take("sum", FLOAT, 1, 0, 1);
    array *const first[] = {&src, &parts}, *const second[] = {&parts, &all};
    const sum_args each = {src.at, (float *)(void *)parts.at, n};
    const sum_args last = {parts.at, (float *)(void *)all.at, blocks};
    if (!is_refused(kernel, sum_check(&each, type_bytes[type]))) {
        cost cost = {0};
        double right = 0;
        launch(kernel, blocks, SUM_THREADS, &each, sizeof each, first, 2, &cost);
        launch("sum_float", 1, SUM_THREADS, &last, sizeof last, second, 2, &cost);
        for (int64_t i = 0; i < n; ++i) right += get(&src, i); /* quarters: added exactly */
        char how[32];
        snprintf(how, sizeof how, "%lld blocks, then one", (long long)blocks);
        show(kernel, how, n, past, 0, &cost, get(&all, 0) == right);
    }
    give(&src);
    give(&parts);
    give(&all);
}
/* end */

static void sums(void)
{
    lesson("Sums of n elements: each block sums a part, then one block the parts");
    sum("sum_float_scalar", FLOAT, 200001, 0);
    sum("sum_float", FLOAT, 200001, 0);
    sum("sum_float", FLOAT, 200001, 4);
    sum("sum_float", FLOAT, 1001, 2);
    sum("sum_half_scalar", HALF, 200001, 0);
    sum("sum_half", HALF, 200001, 0);
    sum("sum_half", HALF, 200001, 2);
    sum("sum_bfloat16", BFLOAT16, 200001, 2);
}

/* ---- structures.cu --------------------------------------------------------------------------- */

/* The tensor (n,8):(step,field): a particle's fields, x y z first. */
static void lengths(const char *layout, int64_t n, int64_t step, int64_t field, int src_past)
{
    if (!is_wanted("particle_lengths")) return;
    array src = take("particles", FLOAT, (n - 1) * step + 7 * field + 1, src_past, 0);
    array dst = take("lengths", FLOAT, n, 0, 1);
    array *const both[] = {&src, &dst};
    const float *const from = (const float *)(void *)src.at;
    const particles_args args = make_particles_args(from, (float *)(void *)dst.at, n, step, field);
    cost cost = {0};
    int right = 1;
    const int64_t blocks = particles_blocks(n);
    launch("particle_lengths", blocks, PARTICLES_THREADS, &args, sizeof args, both, 2, &cost);
    for (int64_t i = 0; i < n; ++i) {
        const double x = get(&src, i * step), y = get(&src, i * step + field);
        const double z = get(&src, i * step + 2 * field);
        right &= is_near(&dst, i, sqrt(x * x + y * y + z * z), 0);
    }
    char how[64];
    snprintf(how, sizeof how, "%s, %s", layout, particles_path(&args));
    show("particle_lengths", how, n, src_past, 0, &cost, right);
    give(&src);
    give(&dst);
}

static void structures(void)
{
    lesson("Lengths of (x,y,z), n particles of 8 floats: an array of structures, one of arrays");
    lengths("(8,1) structures", 1000, 8, 1, 0);
    lengths("(1,n) arrays", 1000, 1, 1000, 0);
    lengths("(8,1) structures", 1001, 8, 1, 4);
    lengths("(1,n) arrays", 1001, 1, 1001, 0);
    lengths("(2,2n) neither", 1000, 2, 2000, 0);
}

/* ---- layer_norm.cu --------------------------------------------------------------------------- */

static void layer_norm(const char *kernel, type type, int64_t rows, int64_t n, int past)
{
    if (!is_wanted(kernel)) return;
    const int in_passes = strncmp(kernel, "layer_norm_passes", 17) == 0;
    const int threads =
        strcmp(kernel, "layer_norm_float") ? LAYER_NORM_THREADS : LAYER_NORM_FLOAT_THREADS;
    array x = take("x", type, rows * n, past, 0), y = take("y", type, rows * n, 0, 1);
    array gamma = take("gamma", type, n, 0, 0), beta = take("beta", type, n, 0, 0);
    array *const all[] = {&x, &gamma, &beta, &y};
    const layer_norm_args args = {x.at, gamma.at, beta.at, y.at, n, n, n, 1e-5f};
    const int once = !in_passes && layer_norm_is_read_once(&args, type_bytes[type], threads);
    cost cost = {0};
    int right = 1;
    launch(kernel, rows, threads, &args, sizeof args, all, 4, &cost);
    for (int64_t i = 0; i < rows; ++i) {
        double mean = 0, variance = 0;
        for (int64_t j = 0; j < n; ++j) mean += get(&x, i * n + j) / (double)n;
        for (int64_t j = 0; j < n; ++j) variance += pow(get(&x, i * n + j) - mean, 2) / (double)n;
        for (int64_t j = 0; j < n; ++j) {
            const double z = (get(&x, i * n + j) - mean) / sqrt(variance + 1e-5);
            right &= is_near(&y, i * n + j, z * get(&gamma, j) + get(&beta, j), 1e-5);
        }
    }
    char how[32];
    snprintf(how, sizeof how, "%lld rows, %s", (long long)rows, once ? "one read" : "three reads");
    show(kernel, how, n, past, 0, &cost, right);
    for (int i = 0; i < 4; ++i) give(all[i]);
}

static void layer_norms(void)
{
    lesson("Layer norm of rows: three reads of each row, or one into registers");
    layer_norm("layer_norm_passes_float_scalar", FLOAT, 2, 4096, 0);
    layer_norm("layer_norm_passes_float", FLOAT, 2, 4096, 0);
    layer_norm("layer_norm_float", FLOAT, 2, 4096, 0);
    layer_norm("layer_norm_float", FLOAT, 2, 4096, 4);
    layer_norm("layer_norm_float", FLOAT, 2, 5000, 0);
    layer_norm("layer_norm_passes_half_scalar", HALF, 2, 4096, 0);
    layer_norm("layer_norm_passes_half", HALF, 2, 4096, 0);
    layer_norm("layer_norm_half", HALF, 2, 4096, 0);
    layer_norm("layer_norm_passes_bfloat16", BFLOAT16, 2, 4097, 2);
    layer_norm("layer_norm_bfloat16", BFLOAT16, 2, 4096, 0);
}

/* ---- the program ----------------------------------------------------------------------------- */

static const char help[] =
    "usage: run [--grid] [NAME]\n"
    "Runs the kernels of examples/vector whose names begin with NAME, or all, on small arrays: on\n"
    "the GPU where there is one; without, or with --grid, on the CPU grid, which counts accesses.\n"
    "Of each launch: how it went, the elements (of a row, if there are rows), how many bytes\n"
    "source and destination begin past a multiple of 16; on the grid the instructions on global\n"
    "memory, the sectors of 32 bytes that they touch, and how much of them was asked for.\n"
    "Exit status: 0; 1 for a wrong result or a device that fails; 2 for wrong arguments.\n";

int main(int argc, char **argv)
{
    char reason[CT_MESSAGE_BYTES] = "as asked";
    int on_grid = 0, known = 0;
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--help") == 0) return fputs(help, stdout) == EOF;
        else if (strcmp(argv[i], "--grid") == 0) on_grid = 1;
        else if (argv[i][0] != '-' && !*wanted) wanted = argv[i];
        else stop(2, "one NAME and --grid are all it takes; see run --help");
    }
    for (int i = 0; vector_kernels[i]; ++i) known |= is_wanted(vector_kernels[i]->name);
    if (!known) {
        snprintf(reason, sizeof reason, "no kernel is called '%.100s...'; see run --help", wanted);
        stop(2, reason);
    }
    gpu = on_grid ? NULL : ct_cuda_open_with(0, &vector_images, reason);
    if (gpu) printf("On the GPU: %s\n", ct_cuda_about(gpu)->name);
    else printf("On the CPU grid: %s\n", reason);
    copies();
    element_wise();
    remainders();
    sums();
    structures();
    layer_norms();
    ct_cuda_close(gpu);
    return wrong > 0;
}
