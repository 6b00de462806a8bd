/**
 * What the kernels of this folder are told, and how they are launched.
 *
 * Element-wise kernels, among them the copies, take ct_elementwise_args (elementwise_args.h). A
 * kernel that is launched faults at an address that is not a multiple of an element's size:
 * ct_make_elementwise refuses such addresses, and so do the checks here, for whoever launches to
 * ask first.
 */
#ifndef CUTLET_EXAMPLES_VECTOR_H
#define CUTLET_EXAMPLES_VECTOR_H

#include <cutlet/device/elementwise/elementwise_args.h>
#include <cutlet/device/tensor/global.h>

/* ---- vectors, for remainder.cu and width_forms.cu -------------------------------------------- */

/** A vector of `bytes` bytes as a tile that one thread moves. The kernel says which, and promises that
 *  it is whole and aligned. */
CT_FN ct_partition vector_partition(int32_t bytes, int32_t elem_bits, ct_memory src, ct_memory dst)
{
    const ct_layout elems = ct_layout1(8 * bytes / elem_bits, 1);
    const ct_copy_atom atom = ct_copy_atom_universal(8 * bytes, elem_bits);
    const ct_tiled_copy one = ct_make_tiled_copy(atom, ct_layout1(1, 0), elems);
    return ct_partition_unchecked(
        ct_make_partition(one, ct_tuple1(8 * bytes / elem_bits), src, dst));
}

/** Vector i of a tensor: i steps from the first one, for i may pass 2^31, which a promise's
 *  coordinates do not. */
CT_DEVICE ct_view vector_at(const ct_partition *P, const ct_side *side, const ct_global *g,
                            int64_t i)
{
    const ct_global along = ct_global_along(*g, 0, P->elem_bits);
    const ct_view tile = ct_view_tile(&along, P, ct_index1(0));
    return ct_view_next(P, ct_view_of_thread(P, side, tile, 0), 0, i);
}

/* ---- remainder.cu ---------------------------------------------------------------------------- */

enum { REMAINDER_THREADS = 128 };

/** dst[i] = 2 src[i] + 1, floats, n:1 both. */
typedef struct remainder_args {
    ct_global src, dst;
} remainder_args;

CT_FN remainder_args make_remainder_args(const void *src, void *dst, int64_t n)
{
    remainder_args a = CT_ZERO;
    a.src = ct_make_global(src, 32, ct_layout1(n, 1));
    a.dst = ct_make_global(dst, 32, ct_layout1(n, 1));
    return a;
}

/** The blocks of a launch whose threads have this many elements each. */
CT_FN int64_t remainder_blocks(int64_t n, int32_t elems)
{
    return ct_ceil_div_int(ct_ceil_div_int(n, elems), REMAINDER_THREADS);
}

/** The widest access, in bytes, that both addresses allow: 16, 8 or 4. */
CT_FN int32_t remainder_align(const remainder_args *a)
{
    return (int32_t)ct_min(16, ct_min(a->src.align, a->dst.align));
}

/** The same, where the array's size has to allow it too. */
CT_FN int32_t remainder_width(const remainder_args *a)
{
    return (int32_t)ct_min(remainder_align(a), ct_align_of((uint64_t)(4 * a->src.extent[0])));
}

/* ---- width_forms.cu -------------------------------------------------------------------------- */

enum { WIDTH_ONE_THREADS = 256, WIDTH_LOOP_THREADS = 1024, WIDTH_LOOP_RESIDENT = 2 };

/** A copy of bytes, n:1 both, by vectors of a width that divides both addresses. */
typedef struct width_args {
    ct_global src, dst;
} width_args;

CT_FN width_args make_width_args(const void *src, void *dst, int64_t bytes)
{
    width_args a = CT_ZERO;
    a.src = ct_make_global(src, 8, ct_layout1(bytes, 1));
    a.dst = ct_make_global(dst, 8, ct_layout1(bytes, 1));
    return a;
}

CT_FN int width_is_aligned(const width_args *a, int32_t width)
{
    return a->src.align >= width && a->dst.align >= width;
}

/** A thread for each vector. */
CT_FN int64_t width_one_blocks(int64_t bytes, int32_t width)
{
    return ct_max(1, ct_ceil_div_int(bytes / width, WIDTH_ONE_THREADS));
}

/** As many blocks as the multiprocessors hold at once, and no more than there is work for. */
CT_FN int64_t width_loop_blocks(int64_t bytes, int32_t width, int32_t processors)
{
    const int64_t all = (int64_t)processors * WIDTH_LOOP_RESIDENT;
    return ct_max(1, ct_min(all, ct_ceil_div_int(bytes / width, WIDTH_LOOP_THREADS)));
}

/* ---- sum.cu ---------------------------------------------------------------------------------- */

enum { SUM_THREADS = 512, SUM_RESIDENT = 2 };

/** dst[block] = the sum of the block's part of n elements. A launch of several blocks is followed
 *  by one of a single block that sums the parts: sum_float. */
typedef struct sum_args {
    const void *src;
    float *dst;
    int64_t n;
} sum_args;

/** What is wrong with the address of elements of this many bytes. */
CT_FN ct_error sum_check(const sum_args *a, int32_t elem_bytes)
{
    return ct_address_check(a->src, elem_bytes, CT_OP_NONE, 0);
}

/** As many blocks as the multiprocessors hold at once, and no more than there is work for. */
CT_FN int64_t sum_blocks(int64_t n, int32_t processors)
{
    const int64_t all = (int64_t)processors * SUM_RESIDENT;
    return ct_max(1, ct_min(all, ct_ceil_div_int(n, 4 * SUM_THREADS)));
}

/* ---- read.cu --------------------------------------------------------------------------------- */

/** The threads of a block; how many blocks a multiprocessor holds; and a block's piece, in vectors
 *  of 16 bytes. The arguments are sum_args: dst[block] = the sum of the block's piece. */
enum { READ_THREADS = 512, READ_RESIDENT = 2, READ_PIECE = 8 * READ_THREADS };

/** A block for each piece of n floats. */
CT_FN int64_t read_blocks(int64_t n) { return ct_max(1, ct_ceil_div_int(n, 4 * READ_PIECE)); }

/* ---- structures.cu --------------------------------------------------------------------------- */

enum { PARTICLE_FIELDS = 8, PARTICLES_THREADS = 128, PARTICLES_EACH = 4 };

/** lengths(i) = the length of (x,y,z) of particle i; x, y, z are fields 0, 1, 2 of 8 floats. The
 *  particles are a tensor (n,8) of any strides: (8,1) is an array of structures, (1,n) a structure
 *  of arrays. */
typedef struct particles_args {
    ct_global particles, lengths;
} particles_args;

/** Fails:    .particles.err, .lengths.err: an address that is not a multiple of 4; as
 * ct_make_global.
 *  */
CT_FN particles_args make_particles_args(const float *particles, float *lengths, int64_t n,
                                         int64_t particle_step, int64_t field_step)
{
    particles_args a = CT_ZERO;
    const ct_layout L = ct_layout2(n, PARTICLE_FIELDS, particle_step, field_step);
    a.particles = ct_make_global(particles, 32, L);
    a.lengths = ct_make_global(lengths, 32, ct_layout1(n, 1));
    return a;
}

/** How the particles of a thread come in, in words: "whole", each access as wide as can be; "cut",
 *  out of two accesses each, but for those at either end; or "by element", some or all. Not a
 *  CT_FN: it is for the host alone. */
static inline const char *particles_path(const particles_args *a)
{
    const ct_global *const g = &a->particles;
    if (g->axis < 0) return "by element";
    if (g->align >= 16) return "whole";
    return g->axis == 0 ? "cut" : "by element"; /* before a row's first field is nothing to cut */
}

CT_FN int64_t particles_blocks(int64_t n)
{
    return ct_ceil_div_int(n, PARTICLES_THREADS * PARTICLES_EACH);
}

/* ---- layer_norm.cu --------------------------------------------------------------------------- */

/** The threads of a launch: those of layer_norm_float, and of every other kernel. */
enum { LAYER_NORM_FLOAT_THREADS = 512, LAYER_NORM_THREADS = 256 };

/** y(i,j) = (x(i,j) - mean_i) / sqrt(variance_i + eps) * gamma(j) + beta(j); n elements a row, ld
 *  elements from row to row. A launch has a block for each row. */
typedef struct layer_norm_args {
    const void *x, *gamma, *beta;
    void *y;
    int64_t n, x_ld, y_ld;
    float eps;
} layer_norm_args;

/** What is wrong with the addresses of elements of this many bytes. */
CT_FN ct_error layer_norm_check(const layer_norm_args *a, int32_t elem_bytes)
{
    ct_error e = ct_address_check(a->x, elem_bytes, CT_OP_NONE, 0);
    if (e.status == CT_OK) e = ct_address_check(a->gamma, elem_bytes, CT_OP_NONE, 0);
    if (e.status == CT_OK) e = ct_address_check(a->beta, elem_bytes, CT_OP_NONE, 0);
    return e.status ? e : ct_address_check(a->y, elem_bytes, CT_OP_NONE, 1);
}

/** Whether layer_norm_float, _half or _bfloat16, of this many threads, reads its rows once: 16 bytes
 *  divide them all, and two vectors of each thread hold one. Otherwise it takes three passes. */
CT_FN int layer_norm_is_read_once(const layer_norm_args *a, int32_t elem_bytes, int32_t threads)
{
    const uintptr_t bits = (uintptr_t)a->x | (uintptr_t)a->y | (uintptr_t)a->gamma |
                           (uintptr_t)a->beta | (uintptr_t)(a->n * elem_bytes) |
                           (uintptr_t)(a->x_ld * elem_bytes) | (uintptr_t)(a->y_ld * elem_bytes);
    return bits % 16 == 0 && a->n * elem_bytes <= 2 * 16 * threads;
}

#endif
