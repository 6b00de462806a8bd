/**
 * Random copies of tiles for whoever runs kernels: tiled copies, layouts, swizzles, element sizes,
 * extents and addresses against the definition, dst(c) = src(c).
 */
#ifndef TESTS_COPY_CASES_H
#define TESTS_COPY_CASES_H

#include "harness.h"

#include "copy_kernels.cu"

static int widest_log = 3; /* 4: accesses of 256 bits too */

static int power_to(int log) { return 1 << random_to(log); }

/* ---- cases ------------------------------------------------------------------------------------- */

typedef struct copy_case {
    const ct_grid_kernel *kernel;
    ct_partition in, out;
    ct_layout src, dst; /* of the whole tensors */
    int src_shift, dst_shift;
    size_t shared_bytes;
} copy_case;

/* What is wrong with the copy, or NULL. */
static const char *case_failure(const copy_case *c, run_launch *run)
{
    const tensor src = random_tensor(c->src, c->in.elem_bits, c->src_shift);
    const tensor dst = make_tensor(c->dst, c->in.elem_bits, c->dst_shift);
    copy_case_args args = {
        .in = c->in, .out = c->out, .src = global_of(&src), .dst = global_of(&dst)};
    int64_t blocks = 1;
    for (int a = 0; a < args.src.axes; ++a)
        blocks *= a < c->in.axes ? ct_ceil_div_int(args.src.extent[a], c->in.tile[a])
                                 : args.src.extent[a];
    launch l = make_launch(c->kernel, grid_of(blocks, 1, 1), c->in.threads,
                           (int64_t)c->shared_bytes, &args);
    add_sides(&l, &src, &args.src, &dst, &args.dst);
    return copy_failure(&l, run, src, dst);
}

/* A layout of these extents: any order of the axes, gaps, steps of 2, negative or repeated ones. */
static ct_layout random_layout(const int64_t *extent, int axes, int bits, int may_repeat)
{
    int order[CT_AXES];
    for (int a = 0; a < axes; ++a) order[a] = a;
    for (int a = axes - 1; a > 0; --a) {
        const int b = random_to(a), t = order[a];
        order[a] = order[b];
        order[b] = t;
    }
    ct_tuple shape = ct_tuple0(), stride = ct_tuple0();
    int64_t step[CT_AXES], next = random_to(5) == 0 ? 2 : 1;
    if (bits < 8) next = 1;
    for (int k = 0; k < axes; ++k) {
        const int a = order[k];
        step[a] = random_to(6) == 0 ? -next : next;
        next *= extent[a];
        if (random_to(2) == 0) next += random_to(9);
        else if (random_to(2) == 0) next = (next + 15) / 16 * 16;
        if (bits < 8) {
            step[a] = step[a] < 0 ? -step[a] : step[a];
            next = (next + 31) / 32 * 32;
        }
        if (may_repeat && random_to(9) == 0) step[a] = 0;
    }
    for (int a = 0; a < axes; ++a) {
        shape = ct_append(shape, ct_int(extent[a]));
        stride = ct_append(stride, ct_int(step[a]));
    }
    return ct_make_layout(shape, stride);
}

/* A thread or value layout over the axes of a block: a permuted compact one. */
static ct_layout random_compact(const int64_t *extent, int axes)
{
    ct_tuple shape = ct_tuple0(), order = ct_tuple0();
    int at[CT_AXES];
    for (int a = 0; a < axes; ++a) at[a] = a;
    for (int a = axes - 1; a > 0; --a) {
        const int b = random_to(a), t = at[a];
        at[a] = at[b];
        at[b] = t;
    }
    for (int a = 0; a < axes; ++a) {
        shape = ct_append(shape, ct_int(extent[a]));
        order = ct_append(order, ct_int(at[a]));
    }
    return ct_make_ordered_layout(shape, order);
}

/* A layout of a tile in shared memory, with a swizzle that fits or a pad. */
static ct_tensor random_shared(const int64_t *tile, int axes, int bits, size_t *bytes)
{
    ct_layout L = random_compact(tile, axes);
    ct_swizzle sw = ct_swizzle_none();
    const int64_t size = ct_size(L);
    int log = 0;
    while ((int64_t)2 << log <= size) ++log;
    if (random_to(1) && log >= 4) {
        const int n = 1 + random_to(2), base = random_to(4), shift = n + random_to(3);
        if (n + base + shift <= log)
            sw = ct_make_swizzle(n, bits < 8 && base < 1 ? 1 : base, shift);
    } else if (random_to(2) == 0 && axes > 1 && bits >= 8) {
        CT_FOR(i, L.profile.leaves)
        {
            if (L.stride[i] * L.shape[i] == size)
                L.stride[i] += 16 * 8 / bits > 0 ? 16 * 8 / bits : 1;
        }
    }
    const ct_tensor c = ct_make_swizzled(sw, 0, L);
    const ct_tuple cosize = ct_tensor_cosize(c);
    if (cosize.err.status) { /* too large to be counted out */
        *bytes = (size_t)(ct_cosize(L) * bits + 7) / 8 + 64;
        return ct_make_swizzled(ct_swizzle_none(), 0, L);
    }
    *bytes = (size_t)(cosize.value[0] * bits + 7) / 8 + 64;
    return c;
}

static ct_copy_atom random_atom(int bits)
{
    const int kind = random_to(3);
    if (kind == 0) return ct_copy_atom_universal(bits < 8 ? 8 : bits, bits);
    if (kind == 1) {
        static const int widths[] = {16, 32, 64, 128, 256};
        const int w = widths[random_to(widest_log)];
        return ct_copy_atom_universal(w < bits ? bits : w, bits);
    }
    return ct_copy_atom_auto(bits);
}

/* One random case; 0 where what was drawn is no partition. */
static int draw(copy_case *c, int through)
{
    static const int sizes[] = {4, 8, 8, 16, 16, 32, 32, 64, 128};
    memset(c, 0, sizeof *c);
    const int bits = sizes[random_to(8)], axes = 1 + random_to(2);
    int64_t thr[CT_AXES], val[CT_AXES], tile[CT_AXES], extent[CT_AXES];
    for (int a = 0; a < axes; ++a) {
        thr[a] = power_to(axes == 1 ? 6 : 3);
        val[a] = power_to(bits <= 8 ? 4 : 3);
        tile[a] = thr[a] * val[a] * power_to(1);
        extent[a] = random_to(2) ? tile[a] * (1 + random_to(1)) : 1 + random_to((int)(2 * tile[a]));
        if (bits < 8) extent[a] = a == 0 || random_to(1) ? extent[a] : (extent[a] + 31) / 32 * 32;
    }
    ct_tuple shape = ct_tuple0();
    for (int a = 0; a < axes; ++a) shape = ct_append(shape, ct_int(tile[a]));
    const ct_layout t = random_compact(thr, axes), v = random_compact(val, axes);
    ct_copy_atom in = random_atom(bits), out = random_atom(bits);
    if (through == 0 && random_to(2) == 0 && bits >= 8)
        in =
            ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CA, bits > 32 ? bits : 32 << random_to(2), bits);
    c->src = random_layout(extent, axes, bits, 1);
    c->dst = random_layout(extent, axes, bits, 0);
    int at_src = random_to(axes) - 1, at_dst = random_to(axes) - 1;
    for (int a = 0; bits < 8 && a < axes; ++a) {
        if (c->src.stride[a] == 1 && (c->src.shape[a] > 1 || at_src < 0)) at_src = a;
        if (c->dst.stride[a] == 1 && (c->dst.shape[a] > 1 || at_dst < 0)) at_dst = a;
    }
    const ct_memory from = ct_in_global(at_src), to = ct_in_global(at_dst);
    if (bits < 8) {
        const ct_global s = ct_make_global(NULL, bits, c->src),
                        d = ct_make_global(NULL, bits, c->dst);
        if (s.err.status || d.err.status || s.axis != at_src || d.axis != at_dst) return 0;
    }
    size_t bytes = 0;
    const ct_memory middle = through == 0   ? ct_in_shared(random_shared(tile, axes, bits, &bytes))
                             : through == 1 ? ct_in_registers()
                                            : to;
    const ct_tiled_copy copy_in = ct_make_tiled_copy(in, t, v),
                        copy_out = ct_make_tiled_copy(out, t, v);
    if (copy_in.atom.err.status || copy_out.atom.err.status) return 0;
    c->in = ct_make_partition(copy_in, shape, from, middle);
    c->out = ct_make_partition(copy_out, shape, middle, to);
    if (c->in.err.status || c->out.err.status) return 0;
    const int unit = bits < 8 ? 1 : bits / 8;
    c->shared_bytes = bytes;
    if (bytes > 200 << 10) return 0;
    c->src_shift = random_to(1) ? 0 : unit * random_to(32 / unit);
    c->dst_shift = random_to(1) ? 0 : unit * random_to(32 / unit);
    c->kernel = through == 0   ? &copy_through_shared
                : through == 1 ? &copy_through_registers
                               : &copy_in_order;
    return 1;
}

/* So many random cases of a kernel: 0 through shared memory, 1 through registers, 2 straight. */
static void many(int through, int cases, run_launch *run)
{
    static copy_case c;
    int done = 0, tried = 0, permuted = 0;
    for (; done < cases; ++tried) {
        const uint64_t first = rolls.state;
        if (!draw(&c, through)) continue;
        permuted += c.in.permuted || c.out.permuted;
        const char *const failure = case_failure(&c, run);
        if (failure)
            fail_msg("seed %llu: %d threads: %s", (unsigned long long)first, c.in.threads, failure);
        ++done;
    }
    print_message("%d of %d drawn, %d turned\n", done, tried, permuted);
    assert_true(cases < 500 || permuted > cases / 50);
}

#endif
