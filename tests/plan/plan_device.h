/**
 * Copy plans in memory of a device, a real one or the fake driver's: random copies against an
 * enumeration, conversions against the CPU. A program opens `gpu` (gpu_memory.h) first.
 */
#ifndef CUTLET_TESTS_PLAN_DEVICE_H
#define CUTLET_TESTS_PLAN_DEVICE_H

#define ORACLE_LIMIT (1 << 18) /* copies for which a kernel is compiled have this many elements */

#include "gpu_memory.h"

#include "driver/cuda/gpu.h"
#include "plan/cuda/cuda.h"
#include "plan_cases.h"

static int64_t from[ORACLE_MAX], to[ORACLE_MAX];
static char message[CT_MESSAGE_BYTES];

/** How often each kind of launch was made for aligned addresses. */
static int launches_of[CT_GPU_RUN + 1];

/** Memory of one side on the device, and what it holds. */
typedef struct device_memory {
    plan_memory host;
    unsigned char *all, *at;
} device_memory;

static inline device_memory device_memory_of(dice *d, const ct_plan_side *s, const int64_t *offset,
                                             int64_t n, int shift)
{
    device_memory m = {.host = memory_of(s, offset, n, shift)};
    for (size_t i = 0; i < m.host.bytes; ++i) m.host.all[i] = (unsigned char)(dice_next(d) >> 32);
    m.all = device_take(m.host.bytes);
    m.at = m.all + (m.host.at - m.host.all);
    device_put(m.all, m.host.all, m.host.bytes);
    return m;
}

static inline void device_memory_drop(device_memory *m)
{
    device_give(m->all);
    free(m->host.all);
}

/** The plan that runs in memory of a device. */
static inline ct_plan *on_device(ct_plan *plan) { return plan->device ? plan->device : plan; }

/** Makes the plan go another way. */
static inline void take_way(ct_plan *plan, int way)
{
    ct_gpu_launch launch;
    plan->backend->drop(plan);
    plan->state = NULL;
    plan->choice.variant = way;
    if (plan->backend->prepare(plan, message)) fail_msg("way %d: %s", way, message);
    if (ct_gpu_launch_of(plan, 16, 16, way, &launch, NULL) == CT_OK) ++launches_of[launch.kind];
}

/** Runs it in the test's stream or in that which has no handle, with or without a context. */
static inline void run_somewhere(dice *d, const ct_plan *plan, void *dst, const void *src,
                                 const ct_plan_desc *desc)
{
    void *const stream = dice_int(d, 0, 3) ? gpu->stream : NULL;
    const int with_context = (int)dice_int(d, 0, 1);
    if (with_context) expect(ct_cuda_enter(gpu));
    const int status = ct_plan_run(plan, dst, src, stream, message);
    if (status) fail_msg("%s: status %d: %s", desc_text(desc), status, message);
    assert_string_equal(message, "");
    if (!with_context) expect(ct_cuda_enter(gpu));
    expect(ct_cuda_check(gpu, gpu->driver.stream_wait(stream), "a wait"));
    expect(ct_cuda_leave(gpu, 0));
}

/** One run of a plan of raw elements, at addresses so far past aligned ones. */
static inline void check_run(dice *d, const ct_plan *plan, const ct_plan_desc *desc,
                             uint64_t number, int src_shift, int dst_shift)
{
    const int32_t bytes = desc->dst.elem_bytes;
    const int64_t n = side_offsets(&desc->src, from);
    assert_int_equal(side_offsets(&desc->dst, to), n);
    device_memory src = device_memory_of(d, &desc->src, from, n, src_shift);
    device_memory dst = device_memory_of(d, &desc->dst, to, n, dst_shift);
    unsigned char *const right = dst.host.all, *const got = malloc(dst.host.bytes);
    for (int64_t i = 0; i < n; ++i)
        memcpy(dst.host.at + to[i] * bytes, src.host.at + from[i] * bytes, (size_t)bytes);
    run_somewhere(d, plan, dst.at, src.at, desc);
    device_get(got, dst.all, dst.host.bytes);
    if (memcmp(right, got, dst.host.bytes) != 0) {
        char how[1000];
        size_t at = 0;
        while (right[at] == got[at]) ++at;
        ct_plan_describe(plan, how, sizeof how);
        fail_msg("case %llu: %s, %d and %d past aligned addresses: byte %ld of the destination is "
                 "wrong\n%s",
                 (unsigned long long)number, desc_text(desc), src_shift, dst_shift,
                 (long)(at - (size_t)(dst.host.at - dst.host.all)), how);
    }
    free(got);
    device_memory_drop(&src);
    device_memory_drop(&dst);
}

/** A plan by several ways and at addresses of several kinds. */
static inline void check_desc(dice *d, ct_plan_desc desc, uint64_t number)
{
    ct_plan *plan = NULL;
    const int unit = desc.dst.elem_bytes & -desc.dst.elem_bytes;
    desc.backend = dice_int(d, 0, 1) ? CT_BACKEND_CUDA : CT_BACKEND_AUTO;
    if (ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message))
        fail_msg("case %llu: %s: %s", (unsigned long long)number, desc_text(&desc), message);
    if (!on_device(plan)->state) fail_msg("no plan for the device");
    take_way(on_device(plan), dice_int(d, 0, 2) ? 0 : (int)dice_int(d, 0, ct_gpu_variants() - 1));
    check_run(d, plan, &desc, number, 0, 0);
    check_run(d, plan, &desc, number, unit * (int)dice_int(d, 0, 7), unit * (int)dice_int(d, 1, 7));
    ct_plan_destroy(plan);
}

/** A random copy of 1 to 2048 elements. */
static inline void check_small(uint64_t seed, uint64_t number)
{
    dice d = dice_of_case(seed, number);
    check_desc(&d, random_desc(&d), number);
}

/** A random shape of at least this many elements, and fewer than twice as many or 9 times. */
static inline ct_tuple large_shape(dice *d, int64_t least)
{
    ct_tuple t = CT_ZERO;
    int64_t size = 1;
    int n = 0;
    const int leaves = (int)dice_int(d, 1, 6);
    while (size < least && n < leaves - 1) {
        int64_t extent = dice_int(d, 0, 3) ? dice_int(d, 2, 9) : dice_int(d, 10, 130);
        extent = ct_min(extent, ORACLE_MAX / size / 2);
        t.value[n++] = extent;
        size *= extent;
    }
    if (size < least || n == 0) t.value[n++] = ct_ceil_div_int(least, size);
    t.profile = dice_profile(d, n);
    return t;
}

/** A random copy that is large enough for a kernel of its own. */
static inline void check_large(uint64_t seed, uint64_t number)
{
    static const int sizes[] = {1, 2, 4, 8, 16, 1, 2, 4, 8, 16, 3, 12};
    dice d = dice_of_case(seed, number);
    ct_plan_desc desc = {0};
    const int32_t bytes = sizes[dice_int(&d, 0, 11)];
    const ct_tuple shape = large_shape(&d, CT_CUDA_SMALL_BYTES / 2 / bytes + 1);
    const ct_layout L = random_noncontiguous(&d, shape);
    desc.dst = ct_plan_side_raw(L, bytes);
    desc.src = ct_plan_side_raw(
        dice_int(&d, 0, 3) ? random_noncontiguous(&d, shape) : random_any(&d, shape), bytes);
    if (dice_int(&d, 0, 2) == 0) maybe_swizzle(&d, &desc.src);
    check_desc(&d, desc, number);
}

/* ---- rows and lines at any address ---------------------------------------------------------- */

/** Modes that lie one around the other in that order; from mode `first` of it on, up to `most` elements
 *  lie after each. `falls`: some steps are negative. */
static inline ct_layout around(dice *d, ct_tuple shape, const int *order, int first, int most,
                               int falls)
{
    ct_tuple stride = shape;
    int64_t step = 1;
    for (int i = 0; i < shape.profile.leaves; ++i) {
        const int k = order[i];
        stride.value[k] = falls && i > 0 && dice_int(d, 0, 7) == 0 ? -step : step;
        step = step * shape.value[k] + (i >= first ? dice_int(d, 1, most) : 0);
    }
    return ct_make_layout(shape, stride);
}

/** A copy that src/plan/kernels/misaligned.h makes: rows that are a run in the destination, some with gaps, some
 *  longer than a block's part (kind 0), lines across rows that are a run (1), or that lie apart (2). */
static inline ct_plan_desc misaligned_desc(dice *d, int kind)
{
    static const int orders[][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 2, 1}, {0, 2, 3, 1}};
    static const int64_t line[][2] = {{17, 330}, {64, 447}, {9, 40}},
                         lines[][2] = {{66, 120}, {33, 90}, {33, 160}};
    const int bytes = kind == 0 ? 1 << dice_int(d, 0, 3) : 1;
    const int is_long = kind == 0 && dice_int(d, 0, 4) == 0;
    const int *const order = orders[dice_int(d, 0, 3)];
    const int has_gaps = kind == 0 && dice_int(d, 0, 1);
    const int64_t n = is_long    ? dice_int(d, 4000, 9000)
                      : has_gaps ? dice_int(d, 512, 900) / bytes + 1
                                 : dice_int(d, line[kind][0], line[kind][1]);
    const int64_t many = is_long    ? 2
                         : has_gaps ? dice_int(d, 4, 9)
                                    : dice_int(d, lines[kind][0], lines[kind][1]);
    const int64_t more = is_long ? 1 : dice_int(d, 1, 3);
    const ct_tuple shape =
        kind == 2 ? ct_tuple4(n, dice_int(d, 8, 12), many, more) : ct_tuple4(n, many, 2, more);
    ct_plan_desc desc = {.backend = CT_BACKEND_CUDA};
    int in_source[4];
    for (int i = 0; i < 4; ++i)
        in_source[i] = (order[i] + kind) % 4; /* mode `kind` is contiguous */
    desc.src = ct_plan_side_raw(around(d, shape, in_source, 0, 37, 1), bytes);
    desc.dst = ct_plan_side_raw(around(d, shape, orders[0],
                                       has_gaps ? 0 : 1 + (kind == 2 && dice_int(d, 0, 1)),
                                       has_gaps ? 3 : 29, 0),
                                bytes);
    return desc;
}

/** Such a copy by every candidate. */
static inline void check_misaligned(uint64_t seed, uint64_t number)
{
    dice d = dice_of_case(seed, number);
    const ct_plan_desc desc = misaligned_desc(&d, (int)(number % 3));
    const int bytes = desc.dst.elem_bytes;
    ct_plan *plan = NULL;
    int ways = 0;
    if (ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message)) fail_msg("%s", message);
    for (int k = 1; k < ct_gpu_variants(); ++k) {
        ct_gpu_launch launch;
        if (ct_gpu_launch_of(plan, bytes, bytes, k, &launch, NULL) ||
            launch.kind != CT_GPU_MISALIGNED)
            continue;
        ++ways;
        take_way(plan, k);
        check_run(&d, plan, &desc, number, bytes * (int)dice_int(&d, 0, 31),
                  bytes * (int)dice_int(&d, 0, 31));
    }
    if (ways == 0)
        fail_msg("case %llu: no way for %s", (unsigned long long)number, desc_text(&desc));
    ct_plan_destroy(plan);
}

/* ---- conversions ----------------------------------------------------------------------------- */

/** Whether it is a NaN of that type. */
static inline int is_nan(const unsigned char *at, int type)
{
    uint16_t h;
    float f;
    double x;
    switch (type) {
        case CT_TYPE_HALF: memcpy(&h, at, 2); return (h & 0x7fff) > 0x7c00;
        case CT_TYPE_BFLOAT16: memcpy(&h, at, 2); return (h & 0x7fff) > 0x7f80;
        case CT_TYPE_FLOAT: memcpy(&f, at, 4); return f != f;
        case CT_TYPE_DOUBLE: memcpy(&x, at, 8); return x != x;
        default: return 0;
    }
}

enum { VALUE_ROWS = 256, VALUES = VALUE_ROWS * 256 };

/** Every value of a type of 8 or 16 bits, again and again; of the others any bits. */
static inline void all_values(unsigned char *values, int type)
{
    dice d = dice_of(7);
    const int bytes = ct_type_bytes(type);
    for (int i = 0; i < VALUES; ++i) {
        uint64_t x = bytes <= 2 ? (uint64_t)i : dice_next(&d);
        if (bytes == 4 && i % 2) x = (x & 0x87ffffff) | 0x38000000; /* near what a half holds */
        if (bytes == 8 && i % 2) x = (x & 0x80ffffffffffffff) | 0x3f00000000000000;
        for (int b = 0; b < bytes; ++b) values[i * bytes + b] = (unsigned char)(x >> 8 * b);
    }
}

/** What the destination is like: as the source, turned, every second element. */
static inline ct_layout converted_layout(int kind)
{
    if (kind == 1) return ct_layout2(256, VALUE_ROWS, VALUE_ROWS, 1);
    return ct_layout1(VALUES, kind == 2 ? 2 : 1);
}

/** A conversion of all values, on the device and on the CPU. */
static inline void check_conversion(int type, int other, const double *scale, int kind)
{
    const size_t src_bytes = (size_t)VALUES * ct_type_bytes(type);
    const int each = ct_type_bytes(other);
    const size_t dst_bytes = (size_t)VALUES * each * (kind == 2 ? 2 : 1);
    ct_plan_desc desc = {.has_scale = scale != NULL, .scale = scale ? *scale : 0};
    unsigned char *const values = malloc(src_bytes), *const right = malloc(dst_bytes);
    unsigned char *const got = malloc(dst_bytes), *const src = device_take(src_bytes);
    unsigned char *const dst = device_take(dst_bytes);
    desc.src = ct_plan_side_of(ct_layout1(VALUES, 1), type);
    desc.dst = ct_plan_side_of(converted_layout(kind), other);
    all_values(values, type);
    memset(right, 0x5a, dst_bytes);
    device_put(dst, right, dst_bytes);
    device_put(src, values, src_bytes);
    for (desc.backend = CT_BACKEND_CPU; desc.backend <= CT_BACKEND_CUDA;
         desc.backend += CT_BACKEND_CUDA - CT_BACKEND_CPU) {
        const int here = desc.backend == CT_BACKEND_CPU;
        ct_plan *plan = NULL;
        if (ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message) ||
            ct_plan_run(plan, here ? right : dst, here ? values : src, gpu->stream, message))
            fail_msg("%d to %d: %s", type, other, message);
        ct_plan_destroy(plan);
    }
    device_get(got, dst, dst_bytes);
    for (size_t i = 0; i < dst_bytes; i += (size_t)each)
        if (memcmp(got + i, right + i, (size_t)each) != 0 &&
            !(is_nan(got + i, other) && is_nan(right + i, other)))
            fail_msg("type %d to %d, scale %g, destination %d: element %zu is another one", type,
                     other, scale ? *scale : 0.0, kind, i / (size_t)each);
    device_give(src);
    device_give(dst);
    free(values);
    free(right);
    free(got);
}

/** All conversions with a few scales, each to one kind of destination, or to all. */
static inline void check_conversions(int all_kinds)
{
    static const double scales[] = {0.3, -2.5e10, 1e-40};
    int turn = 0;
    for (int type = CT_TYPE_HALF; type < CT_TYPE_COUNT; ++type)
        for (int other = CT_TYPE_HALF; other < CT_TYPE_COUNT; ++other)
            for (int s = -1; s < 3; ++s) {
                if (s < 0 && other == type) continue;
                if (!all_kinds && s > 0) continue;
                for (int kind = 0; kind < 3; ++kind)
                    if (all_kinds || kind == turn % 3)
                        check_conversion(type, other, s < 0 ? NULL : &scales[s], kind);
                ++turn;
            }
}

#endif
