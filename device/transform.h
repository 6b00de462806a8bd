/**
 * A function applied to every element: one line of C becomes a kernel that moves 16 bytes an
 * access, whatever layouts, sizes and addresses it is given.
 *
 *     CT_TRANSFORM(relu, float, float, x, p, x < 0 ? 0 : x)
 *     CT_TRANSFORM(to_half, float, half, x, p, p[0] * x + p[1])
 *     CT_TRANSFORM_BY(4, relu_scalar, float, float, x, p, x < 0 ? 0 : x)
 *
 * makes the kernel `relu` that reads elements of the first type, computes the expression with x the
 * element's value and p the numbers of its arguments (floats), and writes the second type: half and
 * bfloat16 rounded to nearest, integers as C converts to them; see element.h for the types. The
 * argument of the kernel is what ct_make_transform (transform_plan.h) makes of two layouts for these
 * types and accesses; a kernel that gets the arguments of another one traps. CT_TRANSFORM_BY says
 * how many bytes an access moves on the wider side, a power of two of at least the wider type; a
 * thread moves 16 bytes in either case, in one access or in several.
 *
 * dst may be src itself, the same elements in the same places. No two other places may overlap.
 */
#ifndef CUTLET_DEVICE_TRANSFORM_H
#define CUTLET_DEVICE_TRANSFORM_H

#include "element.h"
#include "fast_math.h"
#include "run.h"
#include "transform_plan.h"

/** A function of the first n elements of a fragment. */
typedef void (*ct_transform_function)(uint32_t *to, const uint32_t *from, const int n,
                                      const float *p);

enum { CT_TRANSFORM_MOST = 32 }; /* elements of a vector */

/** Where run `number` begins on both sides, from the beginning of the first one, in bytes. */
typedef struct ct_transform_place {
    int64_t src, dst;
} ct_transform_place;

CT_DEVICE ct_transform_place ct_transform_run(const ct_transform_args *args, uint64_t number)
{
    ct_transform_place at = CT_ZERO;
    CT_ROLL for (int i = 0; i < args->modes; ++i) {
        const uint64_t extent = (uint64_t)args->mode[i].extent, c = number % extent;
        at.src += (int64_t)c * args->mode[i].src_step;
        at.dst += (int64_t)c * args->mode[i].dst_step;
        number /= extent;
    }
    return at;
}

/** One vector, of any run: `access` bytes on the wider side, whose elements have from and to bytes;
 *  all three are constants. */
CT_DEVICE void ct_transform_vector(const ct_transform_args *args, uint64_t vector,
                                   const ct_transform_function f, const int from, const int to,
                                   const int access)
{
    const int n = access / (from > to ? from : to);
    const uint64_t vectors = (uint64_t)args->vectors;
    uint64_t run = 0;
    ct_run src = {(const unsigned char *)args->src, args->run.extent * from};
    ct_run dst = {(const unsigned char *)args->dst, args->run.extent * to};
    CT_FRAGMENT(uint32_t, x, 8);
    CT_FRAGMENT(uint32_t, y, 8);
    if (args->runs > 1) {
        run = vector / vectors;
        vector -= run * vectors;
        const ct_transform_place at = ct_transform_run(args, run);
        src.at += at.src;
        dst.at += at.dst;
    }
    if (run >= (uint64_t)args->runs || vector >= vectors) { /* nothing is in its run */
        src.bytes = dst.bytes = 0;
    }
    if (args->way == CT_TRANSFORM_BY_ELEMENT) {
        const int64_t i = (int64_t)vector;
        src.at += src.bytes ? i * args->run.src_step : 0;
        dst.at += dst.bytes ? i * args->run.dst_step : 0;
        ct_run_load(x, src, 0, from, from);
        f(y, x, 1, args->number);
        ct_run_store(dst, 0, y, to, to);
    } else { /* vectors begin at aligned addresses of the destination */
        const int64_t first = (int64_t)vector * n - ct_run_skew(dst.at, n * to) / to;
        ct_run_load(x, src, first * from, n * from, from);
        f(y, x, n, args->number);
        ct_run_store(dst, first * to, y, n * to, to);
    }
}

/** So many vectors of one run that are whole and aligned, a block's width apart: all loads are
 *  under way before the first store. This is as good as all of a large array. */
CT_DEVICE void ct_transform_whole(const ct_transform_args *args, uint64_t vector,
                                  const ct_transform_function f, const int from, const int to,
                                  const int access)
{
    const int n = access / (from > to ? from : to), each = ct_transform_each(access);
    const int words = access < 4 ? 1 : access / 4;
    const unsigned char *const src = (const unsigned char *)args->src + (int64_t)vector * n * from;
    unsigned char *const dst = (unsigned char *)args->dst + (int64_t)vector * n * to;
    CT_FRAGMENT(uint32_t, x, 16);
    CT_FRAGMENT(uint32_t, y, 16);
    CT_UNROLL for (int k = 0; k < 16; ++k) if (k < each)
        ct_vector_load(x + k * words, src + k * CT_TRANSFORM_THREADS * n * from, n * from);
    CT_UNROLL for (int k = 0; k < 16; ++k) if (k < each)
        f(y + k * words, x + k * words, n, args->number);
    CT_UNROLL for (int k = 0; k < 16; ++k) if (k < each)
        ct_vector_store(dst + k * CT_TRANSFORM_THREADS * n * to, y + k * words, n * to);
}

/** The vectors of this thread. */
CT_DEVICE void ct_transform(const ct_transform_args *args, const ct_transform_function f,
                            const int from, const int to, const int access)
{
    const int each = ct_transform_each(access);
    if (args->form != ct_transform_form(from, to, access)) { /* the arguments of another kernel */
        uint32_t none;
        ct_load_global(&none, args->src, 0); /* no such access: stops the launch */
        return;
    }
    const uint64_t first =
        (uint64_t)blockIdx.x * (CT_TRANSFORM_THREADS * each) + threadIdx.x;
    if (first + (each - 1) * CT_TRANSFORM_THREADS < (uint64_t)args->whole) {
        ct_transform_whole(args, first, f, from, to, access);
        return;
    }
    CT_ROLL for (int k = 0; k < each; ++k)
        ct_transform_vector(args, first + (uint64_t)(k * CT_TRANSFORM_THREADS), f, from, to,
                            access);
}

#define CT_TRANSFORM_BY(access, name, from, to, x, p, expression)                              \
    /* an access holds at least one element of either type */                                  \
    typedef char name##_access_holds_an_element[(access) >= CT_BYTES_##from &&                 \
                                                        (access) >= CT_BYTES_##to ? 1 : -1];   \
    CT_DEVICE void name##_elements(uint32_t *ct_to, const uint32_t *ct_from, const int ct_n,   \
                                   const float *p)                                             \
    {                                                                                          \
        (void)p;                                                                               \
        CT_UNROLL for (int ct_i = 0; ct_i < CT_TRANSFORM_MOST; ++ct_i) if (ct_i < ct_n) {      \
            const CT_VALUE_##from x = ct_get_##from(ct_from, ct_i);                            \
            ct_put_##to(ct_to, ct_i, (CT_VALUE_##to)(expression));                             \
        }                                                                                      \
    }                                                                                          \
    CT_KERNEL_THREADS(name, CT_TRANSFORM_THREADS, ct_transform_args, args)                     \
    {                                                                                          \
        ct_transform(&args, name##_elements, CT_BYTES_##from, CT_BYTES_##to, access);          \
    }

#define CT_TRANSFORM(name, from, to, x, p, expression) \
    CT_TRANSFORM_BY(CT_TRANSFORM_BYTES, name, from, to, x, p, expression)

#define ct_transform(...) CT_CALL(ct_transform, __VA_ARGS__)

#endif
