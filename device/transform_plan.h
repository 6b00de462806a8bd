/**
 * How a function is applied to every element of a tensor: dst(c) = f(src(c)) for all coordinates c
 * of two layouts, worked out on the host from the layouts.
 *
 * The modes of both layouts are cut to a common shape, sorted by the steps of the destination and
 * joined where both sides go on; what is left is runs: elements side by side on both sides, which
 * the kernel (transform.h) moves in vectors of 16 bytes, wherever they begin. Where no mode is
 * contiguous on both sides, it goes element by element, neighbouring threads along the
 * destination's shortest step.
 *
 *     const ct_transform_args args = ct_make_transform(
 *         ct_make_transform_side(src, ct_layout1(n, 1), 4),
 *         ct_make_transform_side(dst, ct_layout1(n, 1), 4), CT_TRANSFORM_BYTES);
 *     if (args.err.status) ...
 *     launch with args.blocks blocks of CT_TRANSFORM_THREADS threads
 */
#ifndef CUTLET_DEVICE_TRANSFORM_PLAN_H
#define CUTLET_DEVICE_TRANSFORM_PLAN_H

#include <cutlet/combine.h>
#include <cutlet/make.h>

enum { CT_TRANSFORM_THREADS = 128, CT_TRANSFORM_BYTES = 16, CT_TRANSFORM_NUMBERS = 4 };

/** One side: where the tensor's element 0 lies, its layout, and the size of an element, 1 to 8. */
typedef struct ct_transform_side {
    const void *at;
    ct_layout layout;
    int32_t elem_bytes;
} ct_transform_side;

CT_FN ct_transform_side ct_make_transform_side(const void *at, ct_layout layout, int32_t elem_bytes)
{
    ct_transform_side s = CT_ZERO;
    s.at = at;
    s.layout = layout;
    s.elem_bytes = elem_bytes;
    return s;
}

/** A mode outside of the runs; steps in bytes. */
typedef struct ct_transform_mode {
    int64_t extent, src_step, dst_step;
} ct_transform_mode;

/** How the elements are moved. At the ends of a run they go one by one. */
enum {
    CT_TRANSFORM_WHOLE,     /* each vector by one access on either side */
    CT_TRANSFORM_CUT,       /* the source's vectors are cut out of two accesses each */
    CT_TRANSFORM_SHORT,     /* so too, but runs of fewer than two vectors are little but ends */
    CT_TRANSFORM_BY_ELEMENT /* no mode is contiguous on both sides */
};

/** What a transform kernel is told. */
typedef struct ct_transform_args {
    const void *src;
    void *dst;
    ct_transform_mode run;               /* the elements of a run, side by side unless by element */
    int64_t runs, vectors;               /* runs, and vectors of each */
    int64_t whole;                       /* of one run, the first vectors that are whole and aligned
                                            on both sides */
    int32_t way;                         /* CT_TRANSFORM_... */
    int32_t form;                        /* of the kernel that these are for: ct_transform_form */
    int32_t modes;                       /* that tell the runs apart */
    ct_transform_mode mode[CT_MAX_LEAVES];
    float number[CT_TRANSFORM_NUMBERS];  /* for the expression */
    int64_t blocks;                      /* of the launch, along x */
    ct_error err;
} ct_transform_args;

/** How the elements are moved, in words, for a host that tells its user why a copy may be slow: a
 *  wide access costs twice the loads where it is cut out of two, an element at a time far more.
 *  Neither faults. Not a CT_FN: it is for the host alone. */
static inline const char *ct_transform_way(const ct_transform_args *a)
{
    return a->way == CT_TRANSFORM_WHOLE   ? "every access whole"
           : a->way == CT_TRANSFORM_CUT   ? "source cut out of two accesses each"
           : a->way == CT_TRANSFORM_SHORT ? "short runs, many elements singly"
                                          : "element by element";
}

CT_FN ct_transform_args ct_transform_fail(ct_error e)
{
    ct_transform_args a = CT_ZERO;
    a.err = e;
    return a;
}

/** Puts a mode behind those whose steps in the destination are shorter. */
CT_FN void ct_transform_insert(ct_transform_args *a, ct_transform_mode m)
{
    int i = a->modes++;
    for (; i > 0 && ct_abs(a->mode[i - 1].dst_step) > ct_abs(m.dst_step); --i)
        a->mode[i] = a->mode[i - 1];
    a->mode[i] = m;
}

/** Joins each mode to the one before it where it goes on on both sides. */
CT_FN void ct_transform_join(ct_transform_args *a)
{
    int n = 0;
    for (int i = 0; i < a->modes; ++i) {
        const ct_transform_mode m = a->mode[i];
        ct_transform_mode *const last = &a->mode[n > 0 ? n - 1 : 0];
        if (n > 0 && m.src_step == last->src_step * last->extent &&
            m.dst_step == last->dst_step * last->extent)
            last->extent *= m.extent;
        else a->mode[n++] = m;
    }
    a->modes = n;
}

/** Whether no two elements meet in the destination, whose modes are sorted: each step is longer
 *  than all that lies below it. (That is more than is needed: interleaved modes are refused too.) */
CT_FN ct_error ct_transform_check(const ct_transform_args *a, int64_t elem_bytes)
{
    ct_error e = CT_ZERO;
    int64_t extent = elem_bytes;
    int ok = 1;
    for (int i = 0; i < a->modes; ++i) {
        const int64_t step = ct_abs(a->mode[i].dst_step);
        if (e.status == CT_OK && step < extent)
            e = ct_make_error(CT_E_ARGUMENT, CT_OP_TRANSFORM, CT_WHY_OVERLAP, 1, step / elem_bytes,
                              extent / elem_bytes);
        extent = ct_add(extent, ct_mul(a->mode[i].extent - 1, step, &ok), &ok);
    }
    if (e.status == CT_OK && !ok)
        e = ct_make_error(CT_E_OVERFLOW, CT_OP_TRANSFORM, CT_WHY_OVERFLOW, 1, 0, 0);
    return e;
}

/** The size of a vector's side: of so many elements as `bytes` hold of the larger side. */
CT_FN int64_t ct_transform_elems(int64_t from_bytes, int64_t to_bytes, int64_t bytes)
{
    return bytes / ct_max(from_bytes, to_bytes);
}

/** What a kernel and its arguments have to agree on: the bytes of an access and of an element on
 *  either side, in one number. */
CT_FN int32_t ct_transform_form(int32_t from_bytes, int32_t to_bytes, int32_t bytes)
{
    return bytes << 16 | from_bytes << 8 | to_bytes;
}

/** How many vectors of `bytes` bytes a thread moves: one of 16, as many bytes of narrower ones. */
CT_FN int32_t ct_transform_each(int32_t bytes) { return bytes < 16 ? 16 / bytes : 1; }

/** Whether every run begins at a multiple of `bytes` on a side. */
CT_FN int ct_transform_is_aligned(const ct_transform_args *a, int dst, int64_t bytes)
{
    int64_t bits = dst ? (int64_t)(uintptr_t)a->dst : (int64_t)(uintptr_t)a->src;
    for (int i = 0; i < a->modes; ++i) bits |= dst ? a->mode[i].dst_step : a->mode[i].src_step;
    return (bits & (bytes - 1)) == 0;
}

/** The runs, vectors and blocks of modes that are sorted and joined. */
CT_FN void ct_transform_count(ct_transform_args *a, int64_t from, int64_t to, int32_t bytes)
{
    const int64_t n = ct_transform_elems(from, to, bytes);
    int first = 0;
    for (int i = a->modes - 1; i >= 0; --i)
        if (a->mode[i].src_step == from && a->mode[i].dst_step == to) first = i;
    const ct_transform_mode one = {1, from, to};
    a->run = a->modes > 0 ? a->mode[first] : one;
    for (int i = first; i + 1 < a->modes; ++i) a->mode[i] = a->mode[i + 1];
    if (a->modes > 0) --a->modes;
    a->runs = 1;
    for (int i = 0; i < a->modes; ++i) a->runs *= a->mode[i].extent;
    if (a->run.src_step != from || a->run.dst_step != to) {
        a->way = CT_TRANSFORM_BY_ELEMENT;
        a->vectors = a->run.extent;
    } else {
        const int64_t more = ct_transform_is_aligned(a, 1, n * to) ? 0 : n - 1;
        a->vectors = ct_ceil_div_int(a->run.extent + more, n);
        /* Vectors are counted from aligned addresses of dst; are those of src aligned then? */
        const int64_t src = (int64_t)((uintptr_t)a->src & (uintptr_t)(n * from - 1)) / from;
        const int64_t dst = (int64_t)((uintptr_t)a->dst & (uintptr_t)(n * to - 1)) / to;
        int together = src == dst;
        for (int i = 0; i < a->modes; ++i)
            if ((a->mode[i].src_step / from - a->mode[i].dst_step / to) % n != 0) together = 0;
        a->way = together ? CT_TRANSFORM_WHOLE : CT_TRANSFORM_CUT;
        if (a->runs == 1 && src == 0 && dst == 0) a->whole = a->run.extent / n;
        if (a->runs > 1 && a->run.extent < 2 * n) a->way = CT_TRANSFORM_SHORT;
    }
    a->blocks = ct_ceil_div_int(a->runs * a->vectors,
                                CT_TRANSFORM_THREADS * ct_transform_each(bytes));
}

/** Whether an address is a multiple of the size of its elements, a power of two; `which` says which
 *  one it is: 0 the source, 1 the destination. */
CT_FN ct_error ct_address_check(const void *at, int32_t elem_bytes, int32_t op, int32_t which)
{
    const ct_error none = CT_ZERO;
    const int64_t past = (int64_t)((uintptr_t)at & (uintptr_t)(elem_bytes - 1));
    if (past == 0) return none;
    return ct_make_error(CT_E_ARGUMENT, op, CT_WHY_ADDRESS, which, past, elem_bytes);
}

/** Whether a side is what a transform by accesses of `bytes` bytes takes. */
CT_FN ct_error ct_transform_side_check(ct_transform_side s, int32_t which, int32_t bytes)
{
    const int32_t e = s.elem_bytes;
    const ct_error bad = ct_layout_check(&s.layout, CT_OP_TRANSFORM);
    if (bad.status) return bad;
    if (!ct_is_integral(s.layout))
        return ct_make_error(CT_E_ARGUMENT, CT_OP_TRANSFORM, CT_WHY_NOT_INTEGER, which, 0, 0);
    if (e < 1 || e > 8 || (e & (e - 1)) || bytes < 1 || bytes > 32 || (bytes & (bytes - 1)))
        return ct_make_error(CT_E_ARGUMENT, CT_OP_TRANSFORM, CT_WHY_ATOM, which, 8 * (int64_t)bytes,
                             8 * (int64_t)e);
    if (bytes < e)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_TRANSFORM, CT_WHY_ATOM_BITS, which, 8 * bytes,
                             8 * e);
    return ct_address_check(s.at, e, CT_OP_TRANSFORM, which);
}

/**
 * The arguments of a transform kernel whose vectors have `bytes` bytes on the wider side: a power
 * of two, at least the larger element, at most 32; as the kernel was made (CT_TRANSFORM: 16).
 *
 * Layouts:  integer strides of any sign; shapes with a common refinement. src may have stride 0.
 * Fails:    .err: CT_E_ARGUMENT when the shapes do not fit, there is no such access or element, a
 *           pointer is no multiple of its element, or elements of dst meet or interleave;
 *           CT_E_OVERFLOW; CT_E_CAPACITY where a launch has too few blocks. There are then no
 *           blocks.
 */
CT_FN ct_transform_args ct_make_transform(ct_transform_side src, ct_transform_side dst,
                                          int32_t bytes)
{
    const ct_error bad_src = ct_transform_side_check(src, 0, bytes);
    const ct_error bad_dst = ct_transform_side_check(dst, 1, bytes);
    if (bad_src.status) return ct_transform_fail(bad_src);
    if (bad_dst.status) return ct_transform_fail(bad_dst);
    ct_tuple shape = ct_common_refinement(ct_shape(src.layout), ct_shape(dst.layout));
    if (shape.err.status) return ct_transform_fail(shape.err);
    const ct_layout cut = ct_make_col_major(shape); /* a leaf of it lies in one leaf of each side */
    ct_transform_args a = CT_ZERO;
    const unsigned char *first_src = (const unsigned char *)src.at;
    unsigned char *first_dst = (unsigned char *)(uintptr_t)dst.at;
    int ok = 1;
    for (int i = 0; i < cut.profile.leaves; ++i) {
        const ct_transform_mode m = {
            cut.shape[i], ct_mul(ct_offset(&src.layout, cut.stride[i]), src.elem_bytes, &ok),
            ct_mul(ct_offset(&dst.layout, cut.stride[i]), dst.elem_bytes, &ok)};
        const int64_t src_reach = ct_mul(m.extent - 1, m.src_step, &ok);
        const int64_t dst_reach = ct_mul(m.extent - 1, m.dst_step, &ok);
        if (m.src_step == INT64_MIN || m.dst_step == INT64_MIN) ok = 0;
        if (m.extent == 1 || !ok) continue;
        const ct_transform_mode back = {m.extent, -m.src_step, -m.dst_step};
        ct_transform_insert(&a, m.dst_step < 0 ? back : m);
        first_src += m.dst_step < 0 ? src_reach : 0; /* the same elements from the other end */
        first_dst += m.dst_step < 0 ? dst_reach : 0;
    }
    if (!ok)
        return ct_transform_fail(
            ct_make_error(CT_E_OVERFLOW, CT_OP_TRANSFORM, CT_WHY_OVERFLOW, 0, 0, 0));
    const ct_error meet = ct_transform_check(&a, dst.elem_bytes);
    if (meet.status) return ct_transform_fail(meet);
    a.src = first_src;
    a.dst = first_dst;
    a.form = ct_transform_form(src.elem_bytes, dst.elem_bytes, bytes);
    ct_transform_join(&a);
    ct_transform_count(&a, src.elem_bytes, dst.elem_bytes, bytes);
    if (a.blocks > INT32_MAX)
        return ct_transform_fail(ct_make_error(CT_E_CAPACITY, CT_OP_TRANSFORM, CT_WHY_LEAVES, 0,
                                               a.blocks, INT32_MAX));
    return a;
}

#endif
