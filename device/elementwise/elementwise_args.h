/**
 * The argument of an element-wise kernel, made and checked on the host from the layouts of its
 * operands: to(c) = f(from0(c), from1(c), ...) for all coordinates c.
 *
 * The modes of all operands are normalised together (normalize.h): into runs along the
 * destination's shortest step, and modes that lead from run to run. A run is vectorised if each
 * side is contiguous along it or repeats one element. The kernel (elementwise.h) then moves vectors
 * of 16 bytes, wherever the run begins. Otherwise it moves single elements: consecutive threads
 * access consecutive elements of a run.
 *
 *     const ct_operand from[] = {ct_make_operand(x, matrix, 2), ct_make_operand(bias, row, 2)};
 *     const ct_elementwise_args args =
 *         ct_make_elementwise(from, 2, ct_make_operand(y, matrix, 2), CT_ELEMENTWISE_BYTES);
 *     if (args.err.status) ...
 *     launch with args.blocks blocks of CT_ELEMENTWISE_THREADS threads
 *
 * In C:     // y = f(x, bias): matrices of 100 x 64 halves, and one row for all
 *           static _Alignas(16) uint16_t x[6400], y[6400], bias[64];
 *           const ct_operand from[2] = {
 *               ct_make_operand(x, ct_layout2(100, 64, 64, 1), 2),
 *               ct_make_operand(bias, ct_layout2(100, 64, 0, 1), 2)}; // stride 0: repeated
 *           const ct_operand to = ct_make_operand(y, ct_layout2(100, 64, 64, 1), 2);
 *           const ct_elementwise_args args =
 *               ct_make_elementwise(from, 2, to, CT_ELEMENTWISE_BYTES);
 *           assert(args.err.status == CT_OK && args.runs == 100 && args.vectors == 8);
 *           assert(strcmp(ct_elementwise_path(&args), "every access whole") == 0);
 *           // a source that begins two bytes past a vector, and an address that no half can have
 *           const ct_operand past = ct_make_operand(x + 1, ct_layout1(6000, 1), 2);
 *           const ct_operand all = ct_make_operand(y, ct_layout1(6000, 1), 2);
 *           assert(ct_make_elementwise(&past, 1, all, 16).path == CT_ELEMENTWISE_CUT);
 *           const ct_error odd = ct_address_check((char *)x + 1, 2, CT_OP_ELEMENTWISE, 0);
 *           assert(odd.status == CT_E_ARGUMENT && odd.why == CT_WHY_ADDRESS);
 */
#ifndef CUTLET_DEVICE_ELEMENTWISE_ELEMENTWISE_ARGS_H
#define CUTLET_DEVICE_ELEMENTWISE_ELEMENTWISE_ARGS_H

#include <cutlet/copy/copy_partition.h>
#include <cutlet/algebra/normalize.h>

#include <cutlet/device/elementwise/operand.h>

/** Threads of a block; bytes of an access; numbers of the arguments; the maximum number of
 *  inputs. */
enum {
    CT_ELEMENTWISE_THREADS = 128,
    CT_ELEMENTWISE_BYTES = 16,
    CT_ELEMENTWISE_NUMBERS = 4,
    CT_ELEMENTWISE_INPUTS = CT_SIDES - 1
};

/** How the elements are moved. The ends of a run are moved one element at a time. */
enum {
    CT_ELEMENTWISE_WHOLE,     /* each vector by one access on every side */
    CT_ELEMENTWISE_CUT,       /* each vector of some input is cut out of two accesses */
    CT_ELEMENTWISE_SHORT,     /* by element: the runs have fewer than two vectors */
    CT_ELEMENTWISE_BY_ELEMENT /* by element: on some side the runs are not contiguous */
};

/** An operand in memory, as its kernel sees it: the address of coordinate 0; steps in bytes. */
typedef struct ct_elementwise_side {
    unsigned char *at;
    int64_t step[CT_AXES];
} ct_elementwise_side;

/** The arguments of an element-wise kernel. Side 0 is the destination, side k + 1 is input k; axis
 *  0 is along the runs. */
typedef struct ct_elementwise_args {
    ct_error err;
    int64_t blocks;        /* of the launch, along x */
    int64_t runs, vectors; /* runs, and vectors of each run, or elements if moved one by one */
    uint32_t run_blocks;   /* blocks of each run; 0: one run, or blocks that span runs */
    uint32_t whole;        /* blocks at a run's start whose vectors are all whole and aligned */
    int32_t goes_on;       /* whether blocks span runs */
    int32_t path;          /* CT_ELEMENTWISE_... */
    int32_t signature;     /* of the kernel that takes these: ct_elementwise_signature */
    int32_t axes;
    uint32_t same; /* bit k: side k repeats one element along a run */
    int64_t extent[CT_AXES];
    ct_elementwise_side side[CT_SIDES];
    float number[CT_ELEMENTWISE_NUMBERS]; /* p of the expression */
} ct_elementwise_args;

/**
 * How the elements are moved, in words, for a host that reports why a kernel may be slow. Vectors
 * cut out of two accesses double the loads; single elements cost far more. Neither faults. Not a
 * CT_FN: only the host calls it.
 *
 * Cost:     O(1); the text is constant.
 */
static inline const char *ct_elementwise_path(const ct_elementwise_args *a)
{
    return a->path == CT_ELEMENTWISE_WHOLE   ? "every access whole"
           : a->path == CT_ELEMENTWISE_CUT   ? "source cut out of two accesses each"
           : a->path == CT_ELEMENTWISE_SHORT ? "short runs, element by element"
                                             : "element by element";
}

/** @internal The failed arguments that carry e. */
CT_FN ct_elementwise_args ct_elementwise_fail(ct_error e)
{
    ct_elementwise_args a = CT_ZERO;
    a.err = e;
    return a;
}

/** @internal The vectors of `bytes` bytes that a thread moves: 16 bytes in all, or one wider
 *  vector. */
CT_FN int32_t ct_elementwise_each(int32_t bytes) { return bytes < 16 ? 16 / bytes : 1; }

/** @internal What must agree between a kernel and its arguments, in one number: the bytes of an
 *  access and of an element of each side. */
CT_FN int32_t ct_elementwise_signature(const int32_t *elem_bytes, int32_t sides, int32_t bytes)
{
    int32_t signature = 0;
    for (int k = 0; k < CT_SIDES; ++k)
        if (k < sides)
            signature = signature << 2 | (elem_bytes[k] == 8   ? 3
                                          : elem_bytes[k] == 4 ? 2
                                                               : elem_bytes[k] / 2);
    return signature << 12 | sides << 6 | bytes;
}

/** @internal The elements of a vector: those of the widest type in `bytes` bytes. */
CT_FN int32_t ct_elementwise_width(const int32_t *elem_bytes, int32_t sides, int32_t bytes)
{
    int32_t most = 1;
    for (int k = 0; k < CT_SIDES; ++k)
        if (k < sides && elem_bytes[k] > most) most = elem_bytes[k];
    return bytes / most;
}

/** @internal The error if elements of the destination overlap. Its steps ascend: each must be at
 *  least the extent in bytes of all modes before it. (This also refuses interleaved modes.) */
CT_FN ct_error ct_elementwise_check(const ct_normal_form *f, int64_t elem_bytes)
{
    const ct_error none = CT_ZERO;
    int64_t reach = elem_bytes;
    for (int i = 0; i < f->modes; ++i) { /* no overflow: ct_normalize has checked it */
        const int64_t step = f->mode[i].step[0];
        if (step < reach)
            return ct_elementwise_error(CT_E_ARGUMENT, CT_WHY_OVERLAP, 0, step / elem_bytes,
                                        reach / elem_bytes);
        reach += (f->mode[i].extent - 1) * step;
    }
    return none;
}

/** @internal Whether every run of a side begins at a multiple of `bytes`. */
CT_FN int ct_elementwise_is_aligned(const ct_elementwise_args *a, int side, int64_t bytes)
{
    int64_t bits = (int64_t)(uintptr_t)a->side[side].at;
    for (int i = 1; i < a->axes; ++i) bits |= a->side[side].step[i];
    return (bits & (bytes - 1)) == 0;
}

/** @internal Whether each run of a side begins as many elements past an aligned vector of n
 *  elements as the destination's. An element has e bytes on the side and `to` bytes in the
 *  destination. */
CT_FN int ct_elementwise_lies_alike(const ct_elementwise_args *a, int side, int64_t n, int64_t e,
                                    int64_t to)
{
    const int64_t in = (int64_t)((uintptr_t)a->side[side].at & (uintptr_t)(n * e - 1)) / e;
    const int64_t out = (int64_t)((uintptr_t)a->side[0].at & (uintptr_t)(n * to - 1)) / to;
    int alike = in == out;
    for (int i = 1; i < a->axes; ++i)
        if ((a->side[side].step[i] / e - a->side[0].step[i] / to) % n != 0) alike = 0;
    return alike;
}

/** @internal The path: whether all sides are contiguous along runs, and equally aligned. n:
 *  elements of a vector. */
CT_FN int32_t ct_elementwise_path_of(const ct_elementwise_args *a, const int32_t *elem_bytes,
                                     int32_t sides, int32_t n)
{
    int alike = 1, aligned = 1;
    for (int k = 0; k < sides; ++k) {
        if (k > 0 && a->side[k].step[0] == 0 && a->extent[0] > 1) continue;
        if (a->side[k].step[0] != elem_bytes[k]) return CT_ELEMENTWISE_BY_ELEMENT;
        if (!ct_elementwise_is_aligned(a, k, (int64_t)n * elem_bytes[k])) aligned = 0;
        if (!ct_elementwise_lies_alike(a, k, n, elem_bytes[k], elem_bytes[0])) alike = 0;
    }
    if (a->runs > 1 && a->extent[0] < 2 * (int64_t)n && !(aligned && a->extent[0] % n == 0))
        return CT_ELEMENTWISE_SHORT;
    return alike ? CT_ELEMENTWISE_WHOLE : CT_ELEMENTWISE_CUT;
}

/** @internal Counts the vectors and blocks of runs whose path is known. Each run has its own blocks
 *  if these are nearly full: then the run follows from the block, and threads need not compute
 *  it. */
CT_FN void ct_elementwise_count(ct_elementwise_args *a, const int32_t *elem_bytes, int32_t sides,
                                int32_t n, int32_t bytes)
{
    const int64_t of_block = CT_ELEMENTWISE_THREADS * (int64_t)ct_elementwise_each(bytes);
    const int by_vector = a->path <= CT_ELEMENTWISE_CUT;
    int aligned = by_vector;
    for (int k = 0; k < sides; ++k)
        if (!(a->same >> k & 1) && !ct_elementwise_is_aligned(a, k, (int64_t)n * elem_bytes[k]))
            aligned = 0;
    /* Vectors are counted from aligned addresses of the destination. */
    const int64_t before = ct_elementwise_is_aligned(a, 0, (int64_t)n * elem_bytes[0]) ? 0 : n - 1;
    a->vectors = by_vector ? ct_ceil_div_int(a->extent[0] + before, n) : a->extent[0];
    const int64_t blocks = ct_ceil_div_int(a->vectors, of_block);
    a->goes_on = a->runs > 1 && a->vectors < blocks * of_block / 8 * 7;
    a->blocks = a->goes_on ? ct_ceil_div_int(a->runs * a->vectors, of_block) : a->runs * blocks;
    if (a->goes_on || a->blocks > INT32_MAX) return;
    a->run_blocks = a->runs > 1 ? (uint32_t)blocks : 0;
    if (aligned && (sides > 2 || a->same == 0))
        a->whole = (uint32_t)(a->extent[0] / (of_block * n));
}

/**
 * The arguments of an element-wise kernel whose vectors have `bytes` bytes on the widest side: a
 * power of two, at least the largest element, at most 32, and the same as the kernel's
 * (CT_ELEMENTWISE: 16). Element i of the destination is computed from element i of each input.
 *
 * Layouts:  integer strides of any sign; one size; shapes with a common refinement. An input may
 *           have strides of 0, and may be the destination itself: the same elements at the same
 *           addresses. Otherwise inputs and the destination may not overlap.
 * Fails:    .err: CT_E_ARGUMENT when sizes or shapes do not fit, an access or element size does not
 *           exist, a pointer is not a multiple of its element, or elements of the destination
 *           overlap or interleave; CT_E_OVERFLOW; CT_E_CAPACITY for too many inputs, modes or
 *           blocks. .blocks is then 0.
 * Cost:     that of ct_normalize, no allocation; the host calls it.
 */
CT_FN ct_elementwise_args ct_make_elementwise(const ct_operand *from, int32_t inputs, ct_operand to,
                                              int32_t bytes)
{
    ct_normal_side side[CT_SIDES] = CT_ZERO;
    int32_t elem_bytes[CT_SIDES] = CT_ZERO;
    ct_elementwise_args a = CT_ZERO;
    if (inputs < 0 || inputs > CT_ELEMENTWISE_INPUTS)
        return ct_elementwise_fail(
            ct_elementwise_error(CT_E_CAPACITY, CT_WHY_RANGE, 0, inputs, CT_ELEMENTWISE_INPUTS));
    for (int k = 0; k <= inputs; ++k) {
        const ct_operand *const o = k == 0 ? &to : &from[k - 1];
        const ct_error bad = ct_operand_check(o, k, bytes);
        if (bad.status) return ct_elementwise_fail(bad);
        side[k].layout = o->layout;
        side[k].elem_bytes = elem_bytes[k] = o->elem_bytes;
        a.side[k].at = (unsigned char *)(uintptr_t)o->at;
    }
    const ct_normal_form f = ct_normalize(side, inputs + 1);
    ct_error bad = f.err;
    if (bad.op == CT_OP_NORMALIZE) {
        bad.op = CT_OP_ELEMENTWISE;
        bad.mode -= 1;
        bad.other -= 1;
    }
    if (bad.status == CT_OK) bad = ct_elementwise_check(&f, to.elem_bytes);
    if (bad.status == CT_OK && f.modes > CT_AXES)
        bad = ct_elementwise_error(CT_E_CAPACITY, CT_WHY_RANK_MORE, 0, f.modes, CT_AXES);
    if (bad.status) return ct_elementwise_fail(bad);
    a.axes = f.modes > 0 ? f.modes : 1;
    a.extent[0] = a.runs = 1;
    for (int k = 0; k <= inputs; ++k) {
        a.side[k].at += f.first[k];
        a.side[k].step[0] = elem_bytes[k];
        for (int i = 0; i < f.modes; ++i) a.side[k].step[i] = f.mode[i].step[k];
        if (f.modes > 0 && a.side[k].step[0] == 0) a.same |= (uint32_t)1 << k;
    }
    for (int i = 0; i < f.modes; ++i) {
        a.extent[i] = f.mode[i].extent;
        if (i > 0) a.runs *= f.mode[i].extent;
    }
    const int32_t n = ct_elementwise_width(elem_bytes, inputs + 1, bytes);
    a.signature = ct_elementwise_signature(elem_bytes, inputs + 1, bytes);
    a.path = ct_elementwise_path_of(&a, elem_bytes, inputs + 1, n);
    ct_elementwise_count(&a, elem_bytes, inputs + 1, n, bytes);
    if (a.blocks > INT32_MAX)
        return ct_elementwise_fail(
            ct_elementwise_error(CT_E_CAPACITY, CT_WHY_LEAVES, 0, a.blocks, INT32_MAX));
    return a;
}

#endif
